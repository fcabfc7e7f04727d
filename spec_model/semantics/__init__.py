"""The rules: pure functions from what an implementation received or holds to what it must do, and why."""
