/** Part of the doors into the native library of cedar-java. */
package com.cedarpolicy.model.formatter;
