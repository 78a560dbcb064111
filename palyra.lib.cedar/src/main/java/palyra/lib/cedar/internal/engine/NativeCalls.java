package palyra.lib.cedar.internal.engine;

import com.cedarpolicy.BasicAuthorizationEngine;
import com.cedarpolicy.formatter.PolicyFormatter;
import com.cedarpolicy.model.exception.InternalException;
import com.cedarpolicy.model.formatter.Config;
import com.cedarpolicy.model.policy.PolicySet;
import com.cedarpolicy.model.schema.Schema;
import java.util.List;
import java.util.Map;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;
import palyra.lib.cedar.internal.json.JsonException;
import palyra.lib.cedar.internal.json.JsonReader;
import palyra.lib.cedar.internal.json.JsonWriter;

/** What the native library can do. To be called on the {@link NativeThread} only. */
final class NativeCalls {
    private static final String PREFIX = "Internal JNI Error: ";

    private NativeCalls() {}

    /** Native code refused; the message is its own. */
    static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        Refusal(InternalException cause) {
            super(withoutPrefix(String.valueOf(cause.getMessage())));
        }

        private static String withoutPrefix(String message) {
            return message.startsWith(PREFIX) ? message.substring(PREFIX.length()) : message;
        }
    }

    /** Runs an operation and returns its answer. Anything but a JSON object is a failure. */
    static Map<String, Object> operation(String name, Map<String, Object> request) {
        String answer = BasicAuthorizationEngine.callCedarJNI(name, JsonWriter.write(request));
        return object(answer, name);
    }

    /** Reads JSON that native code gave earlier. */
    static Map<String, Object> parsed(String json) {
        return object(json, "official JSON");
    }

    private static Map<String, Object> object(String answer, String name) {
        try {
            // After a panic the answer is text with parts of the request: it is not passed on.
            return map(JsonReader.answer(String.valueOf(answer)).read());
        } catch (JsonException e) {
            throw nonsense(name);
        }
    }

    /** Returns the official JSON form of a policy set. */
    static Map<String, Object> policySetToJson(Map<String, Object> policies) throws Refusal {
        try {
            return object(PolicySet.policySetToJson(JsonWriter.write(policies)), "policySetToJson");
        } catch (InternalException e) {
            throw new Refusal(e);
        }
    }

    static String format(String policies, int lineWidth, int indentWidth) throws Refusal {
        try {
            return PolicyFormatter.policiesStrToPrettyWithConfig(
                    policies, new Config(lineWidth, indentWidth));
        } catch (InternalException e) {
            throw new Refusal(e);
        }
    }

    static String schemaToJson(String cedar) throws Refusal {
        try {
            return Schema.cedarToJsonJni(cedar);
        } catch (InternalException e) {
            throw new Refusal(e);
        }
    }

    static String schemaToCedar(String json) throws Refusal {
        try {
            return Schema.jsonToCedarJni(json);
        } catch (InternalException e) {
            throw new Refusal(e);
        }
    }

    static void keepPolicies(String id, Map<String, Object> policies) throws Refusal {
        try {
            PolicySet.preparsePolicySetJni(id, JsonWriter.write(policies));
        } catch (InternalException e) {
            throw new Refusal(e);
        }
    }

    static void keepSchema(String id, String schema, boolean isCedar) throws Refusal {
        try {
            Schema.preparseSchemaJni(id, schema, isCedar);
        } catch (InternalException e) {
            throw new Refusal(e);
        }
    }

    static void forget(String id) {
        PolicySet.removeCachedPolicySetJni(id);
        Schema.removeCachedSchemaJni(id);
    }

    /** Returns a value as a map, or fails. */
    @SuppressWarnings("unchecked") // our reader makes no other maps
    static Map<String, Object> map(Object value) {
        if (value instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        throw nonsense("an object");
    }

    /** Returns a value as a list, or fails. */
    static List<?> list(Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw nonsense("a list");
    }

    /** Returns a value as text, or fails. */
    static String text(Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw nonsense("a text");
    }

    /** Returns a value as text; empty if absent. */
    static String textOrEmpty(Object value) {
        return value instanceof String text ? text : "";
    }

    private static CedarException nonsense(String where) {
        return new CedarException(
                Reason.FAILED,
                "The Cedar engine failed inside: its answer makes no sense (" + where + ").");
    }
}
