package palyra.bench.policy;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The published cedar-java with a cached policy set, its requests prebuilt. Its classes have a
 * loader of their own: palyra.lib.cedar has some of the same names.
 */
final class CedarJava implements Contestant {
    /** System property with the folder that holds its jars. */
    static final String JARS = "palyra.bench.cedar-java";

    private static final String PACKAGE = "com.cedarpolicy.";
    private static final Lookup LOOKUP = MethodHandles.publicLookup();

    private final URLClassLoader classes;
    private final Object engine;
    private final Class<?> uid;
    private final Class<?> policySet;
    private final Class<?> entities;
    private final MethodHandle isAuthorized;
    private final MethodHandle success;
    private final MethodHandle isAllowed;
    private Object policies;
    private Object store;
    private List<Object> requests = List.of();

    private CedarJava(URLClassLoader classes) throws ReflectiveOperationException {
        this.classes = classes;
        Class<?> engineClass = load("BasicAuthorizationEngine");
        Class<?> request = load("model.AuthorizationRequest");
        Class<?> response = load("model.AuthorizationResponse");
        engine = engineClass.getConstructor().newInstance();
        uid = load("value.EntityUID");
        policySet = load("model.policy.PolicySet");
        entities = load("model.entity.Entities");
        isAuthorized =
                generic(
                        LOOKUP.unreflect(
                                engineClass.getMethod(
                                        "isAuthorized", request, policySet, entities)));
        success = generic(LOOKUP.unreflectGetter(response.getField("success")));
        isAllowed =
                generic(
                        LOOKUP.unreflect(
                                load("model.AuthorizationSuccessResponse").getMethod("isAllowed")));
    }

    private static MethodHandle generic(MethodHandle handle) {
        return handle.asType(handle.type().generic());
    }

    /** Loads it from the folder that the build filled. */
    static CedarJava open() throws IOException, ReflectiveOperationException {
        Path folder = Path.of(System.getProperty(JARS, "palyra.bench/target/cedar-java"));
        List<URL> jars = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                jars.add(file.toUri().toURL());
            }
        }
        return new CedarJava(
                new URLClassLoader(jars.toArray(new URL[0]), ClassLoader.getPlatformClassLoader()));
    }

    private Class<?> load(String name) throws ClassNotFoundException {
        return classes.loadClass(PACKAGE + name);
    }

    @Override
    public String name() {
        return "cedar-java 4.10.0, cached";
    }

    @Override
    public void prepare(Scenario scenario) throws ReflectiveOperationException {
        policies = policySet.getMethod("parsePolicies", String.class).invoke(null, scenario.text());
        policySet.getMethod("cache").invoke(policies);
        store = entities(scenario.entitiesJson());
        List<Object> built = new ArrayList<>();
        for (Scenario.Ask ask : scenario.asks()) {
            built.add(
                    load("model.AuthorizationRequest")
                            .getConstructor(uid, uid, uid, Map.class)
                            .newInstance(
                                    uid(ask.principal()),
                                    uid(ask.action()),
                                    uid(ask.resource()),
                                    values(ask.contextJson())));
        }
        requests = built;
    }

    private Object entities(String json) throws ReflectiveOperationException {
        return entities.getMethod("parse", String.class).invoke(null, json);
    }

    private Object uid(Scenario.Name name) throws ReflectiveOperationException {
        return ((Optional<?>) uid.getMethod("parse", String.class).invoke(null, name.cedar()))
                .orElseThrow();
    }

    /** It reads values only as parts of entities. */
    private Object values(String json) throws ReflectiveOperationException {
        Object holder =
                entities(
                        "[{\"uid\":{\"type\":\"Holder\",\"id\":\"\"},\"parents\":[],\"attrs\":"
                                + json
                                + "}]");
        Set<?> held = (Set<?>) entities.getMethod("getEntities").invoke(holder);
        return load("model.entity.Entity").getField("attrs").get(held.iterator().next());
    }

    /** Parses policies and schema, validates the one by the other and caches both. */
    void load(String text, String schemaText) throws ReflectiveOperationException {
        Class<?> schemaClass = load("model.schema.Schema");
        Object schema = schemaClass.getConstructor(String.class).newInstance(schemaText);
        Object parsed = policySet.getMethod("parsePolicies", String.class).invoke(null, text);
        Class<?> request = load("model.ValidationRequest");
        Object answer =
                engine.getClass()
                        .getMethod("validate", request)
                        .invoke(
                                engine,
                                request.getConstructor(schemaClass, policySet)
                                        .newInstance(schema, parsed));
        if (!(boolean) answer.getClass().getMethod("validationPassed").invoke(answer)) {
            throw new IllegalStateException("cedar-java does not find the policies valid");
        }
        policySet.getMethod("cache").invoke(parsed);
        schemaClass.getMethod("cache").invoke(schema);
    }

    @Override
    public Round round(long nanos) {
        return Round.of(this::allowed, requests.size(), nanos);
    }

    /** Its errors are no denials: they end the measurement. */
    private boolean allowed(int i) {
        try {
            Object answer =
                    (Object) isAuthorized.invokeExact(engine, requests.get(i), policies, store);
            Object decided = (Object) success.invokeExact(answer);
            return (boolean) (Object) isAllowed.invokeExact(((Optional<?>) decided).orElseThrow());
        } catch (Throwable e) {
            throw new IllegalStateException("cedar-java failed: " + e, e);
        }
    }

    @Override
    public void close() {
        try {
            classes.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
