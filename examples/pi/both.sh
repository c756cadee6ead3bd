#!/bin/sh
# Interesting: the program compiles, ends well for the supported locale, and throws an uncaught exception for another one.
# The options make javac and java start quickly; JAVAC_OPTIONS adds to them.
quick='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto'
JAVA_TOOL_OPTIONS="$quick $JAVAC_OPTIONS" javac -proc:none LocalizedPi.java 2>/dev/null || exit 1
java $quick -cp . LocalizedPi en >/dev/null 2>&1 || exit 1
java $quick -cp . LocalizedPi hu 2>&1 |
  grep -q 'Exception in thread "main" java.lang.Exception: Unsupported locale'
