"""THE COMMAND LINE: one command a file, imported when it is used. Data in from files or stdin, results to stdout.

Words for people go to stderr. Exit codes: 0 fine, 2 wrong use or input refused, 130 stopped by Ctrl-C.
"""
