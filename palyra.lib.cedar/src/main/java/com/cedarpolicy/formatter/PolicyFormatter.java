package com.cedarpolicy.formatter;

import com.cedarpolicy.model.exception.InternalException;
import com.cedarpolicy.model.formatter.Config;

/** The formatter of policies. */
public final class PolicyFormatter {
    private PolicyFormatter() {}

    /** Formats the text of policies and templates. */
    public static native String policiesStrToPrettyWithConfig(String policies, Config config)
            throws InternalException;
}
