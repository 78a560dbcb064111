package com.cedarpolicy.model.policy;

import com.cedarpolicy.model.exception.InternalException;

/** Policy sets: conversion, and the native store of parsed sets. */
public final class PolicySet {
    private PolicySet() {}

    /** Returns the official JSON form of a policy set given as JSON with policies as text. */
    public static native String policySetToJson(String policySetJson) throws InternalException;

    /** Parses a policy set and keeps it under {@code id}, in place of an earlier one. */
    public static native void preparsePolicySetJni(String id, String policySetJson)
            throws InternalException;

    /** Lets a kept policy set go; unknown ids are ignored. */
    public static native void removeCachedPolicySetJni(String id);

    /** Sets how many policy sets are kept at most; one more is refused, none is dropped. */
    public static native void setCacheMaxPolicySets(int max);
}
