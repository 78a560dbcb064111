package com.cedarpolicy.model.schema;

import com.cedarpolicy.model.exception.InternalException;

/** Schemas: conversion, and the native store of parsed schemas. */
public final class Schema {
    private Schema() {}

    /** Converts; fails on NUL and characters beyond U+FFFF, which must be escaped before. */
    public static native String jsonToCedarJni(String json) throws InternalException;

    /** Converts; fails on NUL and characters beyond U+FFFF, which must be escaped before. */
    public static native String cedarToJsonJni(String cedar) throws InternalException;

    /** Parses a schema and keeps it under {@code id}, in place of an earlier one. */
    public static native void preparseSchemaJni(String id, String schema, boolean isCedar)
            throws InternalException;

    /** Lets a kept schema go; unknown ids are ignored. */
    public static native void removeCachedSchemaJni(String id);

    /** Sets how many schemas are kept at most; one more is refused, none is dropped. */
    public static native void setCacheMaxSchemas(int max);
}
