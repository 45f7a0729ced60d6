"""Tests of where templates come from, and what they share."""
