package com.cedarpolicy.model.exception;

/** What the native code throws; it calls the constructor. */
public final class InternalException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Takes the message of the native code. */
    public InternalException(String message) {
        super(message);
    }
}
