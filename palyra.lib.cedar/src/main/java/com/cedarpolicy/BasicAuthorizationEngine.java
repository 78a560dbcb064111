package com.cedarpolicy;

/** Operations with a request and an answer in JSON. */
public final class BasicAuthorizationEngine {
    private BasicAuthorizationEngine() {}

    /** Runs an operation by name. After a panic inside, the answer is text that is not JSON. */
    public static native String callCedarJNI(String operation, String requestJson);

    /** Returns the version of the Cedar language. */
    public static native String getCedarJNIVersion();
}
