"""``python -m chatcodec``: the command line, for when the script is not on the path."""

from chatcodec.cli.main import main

if __name__ == "__main__":
    main()
