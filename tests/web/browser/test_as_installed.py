"""The explorer as it is installed: every example leads to a result with the shipped models, and nothing fails."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from windows import new_window


def test_every_example_leads_to_a_result(browser: Any, address_as_installed: str) -> None:
    page, problems = new_window(browser, address_as_installed)
    examples = page.locator("#examples button")
    titles = [examples.nth(i).get_attribute("title") for i in range(examples.count())]
    assert len(titles) >= 6
    for i, title in enumerate(titles):
        examples.nth(i).click()
        expect(page.locator("#text")).to_have_value(title)
        if "_" in title:
            expect(page.locator(".fillers tbody tr").first).to_be_visible()
        else:
            expect(page.locator("#tree-place [role=treeitem]").first).to_be_visible()
            expect(page.locator("#panel-tree")).to_have_attribute("aria-busy", "false")
            expect(page.locator("#verdict-card .judgement")).to_have_count(2)
        expect(page.locator("#problem")).to_be_hidden()
    page.get_by_role("tab", name="Corpus").click()
    expect(page.locator("#corpus-place")).to_contain_text("No corpus was given.")
    assert problems == []
