#!/bin/sh
# Interesting: the program compiles, and throws an uncaught exception for an unsupported locale.
# The options make javac and java start quickly; JAVAC_OPTIONS adds to them.
quick='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto'
JAVA_TOOL_OPTIONS="$quick $JAVAC_OPTIONS" javac -proc:none LocalizedPi.java 2>/dev/null || exit 1
java $quick -cp . LocalizedPi hu 2>&1 |
  grep -q 'Exception in thread "main" java.lang.Exception: Unsupported locale'
