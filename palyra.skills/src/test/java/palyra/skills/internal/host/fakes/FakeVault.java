package palyra.skills.internal.host.fakes;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;

/** A vault that lends what it was given. */
public final class FakeVault {
    private final Map<SecretRef, String> values = new ConcurrentHashMap<>();

    /** Keeps a secret. */
    public FakeVault put(String scope, String key, String value) {
        values.put(new SecretRef(scope, key), value);
        return this;
    }

    /** Returns the service. */
    public Vault service() {
        return (Vault)
                Proxy.newProxyInstance(
                        FakeVault.class.getClassLoader(),
                        new Class<?>[] {Vault.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "get" -> lend((SecretRef) arguments[1]);
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private Secret lend(SecretRef ref) {
        String value = values.get(ref);
        if (value == null) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "There is no secret " + ref + ".");
        }
        return new Lent(ref, value.getBytes(StandardCharsets.UTF_8));
    }

    @SuppressWarnings("ArrayRecordComponent") // of a test
    private record Lent(SecretRef ref, byte[] bytes) implements Secret {
        @Override
        public SecretInfo info() {
            return new SecretInfo(ref, 1, bytes.length, 0, 0, "", 1);
        }

        @Override
        public <T> T use(Function<byte[], T> use) {
            return use.apply(bytes);
        }

        @Override
        public void close() {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
