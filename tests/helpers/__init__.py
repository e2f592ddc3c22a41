"""What tests share: data, references, commands, and programs that tests start. Modules are imported by their names alone.

Many modules because a test shall import only the helper that it needs, and most helpers serve tests of several rooms.
"""
