#!/bin/sh
# Interesting: it compiles, and throws an uncaught exception for a locale that it does not support.
# The options make a start of javac and java as short as can be; JAVAC_OPTIONS may add to them.
quick='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto'
JAVA_TOOL_OPTIONS="$quick $JAVAC_OPTIONS" javac -proc:none LocalizedPi.java 2>/dev/null || exit 1
java $quick -cp . LocalizedPi hu 2>&1 |
  grep -q 'Exception in thread "main" java.lang.Exception: Unsupported locale'
