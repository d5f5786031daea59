"""Programs that start warm: forked from a process that has imported the package, and otherwise the real ones.

Most of what a short command costs is importing libraries, which a thousand tests need not do a thousand times. A test
about starting itself has a process of its own (`subprocess`), and `PLAIN_PROCESSES=1` gives one to every test. What the program starts itself, for
queries and for code, is forked as well (`children`), but where it is what a test is about.
"""
