"""Tests of the tasks of trees."""
