"""Tests of tasks. Many modules because there is one for each module of the room."""
