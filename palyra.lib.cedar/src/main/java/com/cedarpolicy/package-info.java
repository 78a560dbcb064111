/**
 * The doors into the native library of cedar-java. JNI finds them by the names of these packages,
 * classes and methods, so they are not ours to choose. What cedar-java wraps around them (Jackson,
 * Guava, its own loader, caches freed by garbage collection) is left out.
 */
package com.cedarpolicy;
