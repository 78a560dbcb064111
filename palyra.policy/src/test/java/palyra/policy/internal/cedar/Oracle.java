package palyra.policy.internal.cedar;

import com.cedarpolicy.BasicAuthorizationEngine;
import com.cedarpolicy.model.policy.PolicySet;
import com.cedarpolicy.model.schema.Schema;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Cedar's own engine, on a thread with a stack that deep policies do not exhaust. */
final class Oracle {
    static final ObjectMapper MAPPER = new ObjectMapper();
    private static final long STACK_BYTES = 256L << 20;
    private static final ExecutorService THREAD =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread thread = new Thread(null, task, "cedar-native", STACK_BYTES);
                        thread.setDaemon(true);
                        return thread;
                    });

    static {
        System.loadLibrary("cedar_java_ffi");
    }

    private static final Method CALL = method(BasicAuthorizationEngine.class, "callCedarJNI", 2);
    private static final Method TO_JSON = method(PolicySet.class, "policySetToJson", 1);
    private static final Method PREPARE = method(PolicySet.class, "preparsePolicySetJni", 2);
    private static final Method FORGET = method(PolicySet.class, "removeCachedPolicySetJni", 1);
    private static final Method SCHEMA_TO_JSON = method(Schema.class, "cedarToJsonJni", 1);

    private Oracle() {}

    private static Object invoke(Method method, Object... arguments) throws Exception {
        try {
            return method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
        }
    }

    /** The native methods are private; the public ones around them parse everything twice. */
    private static Method method(Class<?> owner, String name, int parameters) {
        Class<?>[] types = new Class<?>[parameters];
        Arrays.fill(types, String.class);
        try {
            Method method = owner.getDeclaredMethod(name, types);
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("cedar-java has no " + name, e);
        }
    }

    /** Runs something on the thread with the large stack. */
    static <T> T run(Callable<T> task) {
        try {
            return THREAD.submit(task).get(30, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("The native engine gave no answer in time.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The JSON form of static policies; their ids are policy0, policy1 and so on. */
    static String est(String policies) {
        return run(() -> estHere(policies));
    }

    /** As {@link #est}, for callers that already are on the thread. */
    static String estHere(String policies) throws Exception {
        return estHere(policies, Map.of());
    }

    /** The JSON form of static policies and of templates by their ids. */
    static String estHere(String policies, Map<String, String> templates) throws Exception {
        Map<String, Object> set = Map.of("staticPolicies", policies, "templates", templates);
        return (String) invoke(TO_JSON, MAPPER.writeValueAsString(set));
    }

    /** The JSON form of a schema; for callers that already are on the thread. */
    static String schemaHere(String text) throws Exception {
        return (String) invoke(SCHEMA_TO_JSON, text);
    }

    /** Evaluates one request in Cedar's own JSON; the response. */
    static JsonNode authorize(String operation, String request) {
        return run(() -> authorizeHere(operation, request));
    }

    /** As {@link #authorize}, for callers that already are on the thread. */
    static JsonNode authorizeHere(String operation, String request) throws Exception {
        JsonNode answer = MAPPER.readTree((String) invoke(CALL, operation, request));
        if (!answer.path("type").asText().equals("success")) {
            throw new IllegalStateException("The native engine refused: " + answer);
        }
        return answer.get("response");
    }

    /** Keeps a parsed policy set in the native engine under a name. */
    static void prepareHere(String name, String est) throws Exception {
        invoke(PREPARE, name, est);
    }

    static void forgetHere(String name) throws Exception {
        invoke(FORGET, name);
    }
}
