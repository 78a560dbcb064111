package palyra.testing.model;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;

/** Access and vault as far as the use of a secret needs them. Thread-safe. */
public final class FakeVaultKeys {
    private final Map<SecretRef, String> secrets = new HashMap<>(); // guarded by this
    private final List<AccessRequest> asked = new ArrayList<>(); // guarded by this
    private int open; // guarded by this
    private boolean denying; // guarded by this

    /** Keeps a secret. */
    public synchronized FakeVaultKeys put(String ref, String value) {
        secrets.put(SecretRef.parse(ref), value);
        return this;
    }

    /** Denies from now on. */
    public synchronized FakeVaultKeys deny() {
        denying = true;
        return this;
    }

    /** Returns the questions that were asked, oldest first. */
    public synchronized List<AccessRequest> asked() {
        return List.copyOf(asked);
    }

    /** Returns how many secrets were lent and not closed. */
    public synchronized int lent() {
        return open;
    }

    /** Returns an access that answers {@code authorizeAndRecord} and nothing else. */
    public Access access() {
        return proxy(
                Access.class,
                "authorizeAndRecord",
                arguments -> permit((AccessRequest) arguments[0]));
    }

    /** Returns a vault that answers {@code get} and nothing else. */
    public Vault vault() {
        return proxy(
                Vault.class,
                "get",
                arguments -> lend((Permit) arguments[0], (SecretRef) arguments[1]));
    }

    private static <T> T proxy(Class<T> type, String method, Function<Object[], Object> answer) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (self, called, arguments) -> {
                            if (called.getName().equals(method)) {
                                return answer.apply(arguments);
                            }
                            throw new UnsupportedOperationException(called.getName());
                        }));
    }

    private synchronized Permit permit(AccessRequest request) {
        asked.add(request);
        if (denying) {
            throw new PalyraException(ErrorCode.DENIED, "The test's policy says no.");
        }
        return new Permit(
                "01J",
                request.principal(),
                request.action(),
                request.resource(),
                DecisionSource.POLICY,
                "",
                System.currentTimeMillis());
    }

    private synchronized Secret lend(Permit permit, SecretRef ref) {
        permit.requireFor("vault.get", System.currentTimeMillis());
        if (!permit.resource().equals(ref.resource())) {
            throw new PalyraException(ErrorCode.DENIED, "The permit is for another secret.");
        }
        String value = secrets.get(ref);
        if (value == null) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "There is no " + ref + ".");
        }
        open++;
        return new Lent(ref, value.getBytes(StandardCharsets.UTF_8));
    }

    private synchronized void closed() {
        open--;
    }

    private final class Lent implements Secret {
        private final SecretRef ref;
        private final byte[] value;
        private boolean closed;

        private Lent(SecretRef ref, byte[] value) {
            this.ref = ref;
            this.value = value;
        }

        @Override
        public SecretInfo info() {
            return new SecretInfo(ref, 1, value.length, 0, 0, "", 1);
        }

        @Override
        public <T> T use(Function<byte[], T> use) {
            if (closed) {
                throw new IllegalStateException("the secret is closed");
            }
            return use.apply(value);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                Arrays.fill(value, (byte) 0);
                FakeVaultKeys.this.closed();
            }
        }
    }
}
