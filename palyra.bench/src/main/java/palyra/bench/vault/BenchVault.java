package palyra.bench.vault;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Operation;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretRef;
import palyra.bench.journal.BenchStore;
import palyra.shared.hash.Ulids;
import palyra.vault.internal.VaultComponent;

/**
 * The vault that ships, with the configuration that it ships with and the real journal, without a
 * framework. Permissions are made here: asking policy is measured elsewhere.
 */
final class BenchVault implements AutoCloseable {
    private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final Ulids IDS = new Ulids();
    private static final Principal BENCH =
            new Principal("user:bench", PrincipalKind.USER, Set.of("operator"), Set.of(), "");

    private final BenchStore store;
    private final VaultComponent vault;
    private int size;

    /** Opens an empty one in a state folder and waits until it is usable. */
    BenchVault(Path state) throws IOException {
        store = BenchStore.open(state);
        vault = vault(context(state));
        vault.bindJournal(store.journal(), Map.of());
        vault.activate();
        long end = System.nanoTime() + READY_NANOS;
        while (!vault.status().usable() && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        if (!vault.status().usable()) {
            close();
            throw new IOException("the vault does not open: " + vault.status().problem());
        }
    }

    private static VaultComponent vault(BundleContext context) {
        try {
            Constructor<?> constructor = VaultComponent.class.getConstructors()[0];
            Class<?> configuration = constructor.getParameterTypes()[1];
            return (VaultComponent)
                    constructor.newInstance(
                            context,
                            Proxy.newProxyInstance(
                                    configuration.getClassLoader(),
                                    new Class<?>[] {configuration},
                                    (proxy, method, arguments) -> method.getDefaultValue()));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the vault cannot be made", e);
        }
    }

    /** A framework that knows the state folder and takes services without offering them. */
    private static BundleContext context(Path state) {
        ServiceRegistration<?> nowhere =
                (ServiceRegistration<?>)
                        Proxy.newProxyInstance(
                                BenchVault.class.getClassLoader(),
                                new Class<?>[] {ServiceRegistration.class},
                                (proxy, method, arguments) -> null);
        return (BundleContext)
                Proxy.newProxyInstance(
                        BenchVault.class.getClassLoader(),
                        new Class<?>[] {BundleContext.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "getProperty" ->
                                            "palyra.state".equals(arguments[0])
                                                    ? state.toString()
                                                    : null;
                                    case "registerService" -> nowhere;
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.toString());
                                });
    }

    private static SecretRef ref(int number) {
        return SecretRef.parse("vault:global/bench_" + number);
    }

    private static Permit permit(String action, SecretRef ref) {
        return new Permit(
                IDS.next(),
                BENCH,
                action,
                ref.resource(),
                DecisionSource.POLICY,
                "",
                System.currentTimeMillis());
    }

    /** Puts secrets until there are so many. */
    void fill(int wanted, byte[] value) {
        while (size < wanted) {
            put(size++, value);
        }
    }

    /** Puts a secret, in place of the one that has this number. */
    void put(int number, byte[] value) {
        SecretRef ref = ref(number);
        Operation.Append decision =
                new Operation.Append(
                        "journal", "access_decision", 1, "{}".getBytes(StandardCharsets.UTF_8));
        vault.put(new Authorized(permit("vault.put", ref), decision), ref, value.clone(), -1);
    }

    /** Uses a secret and returns one byte of it. */
    byte get(int number) {
        SecretRef ref = ref(number);
        try (Secret secret = vault.get(permit("vault.get", ref), ref)) {
            return secret.use(bytes -> bytes[0]);
        }
    }

    @Override
    public void close() {
        vault.deactivate();
        store.close();
    }
}
