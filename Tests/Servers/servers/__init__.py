# SPDX-License-Identifier: MIT
"""One file for each kind of server; each has a function that starts it."""
