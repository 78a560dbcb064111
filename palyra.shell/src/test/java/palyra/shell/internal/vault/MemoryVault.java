package palyra.shell.internal.vault;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.core.access.Authorized;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;
import palyra.api.core.vault.VaultStatus;

/** A vault of a test; a rotation wraps one secret for each look at its status. */
final class MemoryVault implements Vault {
    private final TreeMap<String, byte[]> values = new TreeMap<>(); // guarded by this
    byte[] given;
    volatile int lent;
    volatile long pending;
    volatile String problem = "";

    synchronized void keep(String name, String value) {
        values.put(name, value.getBytes(StandardCharsets.UTF_8));
    }

    synchronized String text(String name) {
        return new String(values.get(name), StandardCharsets.UTF_8);
    }

    synchronized List<String> names() {
        return List.copyOf(values.keySet());
    }

    private static SecretInfo info(String name, int bytes) {
        return new SecretInfo(SecretRef.parse(name), 1, bytes, 1, 1, "user:op", 1);
    }

    private static void require(Permit permit, String resource) {
        if (!permit.resource().equals(resource)) {
            throw new PalyraException(ErrorCode.DENIED, "The permit is for " + permit.resource());
        }
    }

    @Override
    public synchronized SecretInfo put(
            Authorized permit, SecretRef ref, byte[] value, long expectedVersion) {
        require(permit.permit(), ref.resource());
        values.put(ref.toString(), value.clone());
        given = value;
        return info(ref.toString(), value.length);
    }

    @Override
    public synchronized Secret get(Permit permit, SecretRef ref) {
        require(permit, ref.resource());
        lent++;
        byte[] value = values.get(ref.toString());
        return new Secret() {
            @Override
            public SecretInfo info() {
                return MemoryVault.info(ref.toString(), value.length);
            }

            @Override
            public <T> T use(Function<byte[], T> use) {
                return use.apply(value.clone());
            }

            @Override
            public void close() {
                // A test looks at it later.
            }
        };
    }

    @Override
    public synchronized boolean delete(Authorized permit, SecretRef ref) {
        require(permit.permit(), ref.resource());
        byte[] old = values.remove(ref.toString());
        if (old != null) {
            Arrays.fill(old, (byte) 0);
        }
        return old != null;
    }

    @Override
    public synchronized List<SecretInfo> list(Permit permit, String scope, String afterKey) {
        String from = "vault:" + (scope.isEmpty() ? "" : scope + "/");
        require(permit, from);
        return values.tailMap(from + afterKey, false).entrySet().stream()
                .filter(each -> each.getKey().startsWith(from))
                .map(each -> info(each.getKey(), each.getValue().length))
                .toList();
    }

    @Override
    public VaultStatus rotate(Authorized permit) {
        require(permit.permit(), "vault:");
        return now();
    }

    private VaultStatus now() {
        return new VaultStatus(problem.isEmpty(), problem, "file", 1, values.size(), pending);
    }

    @Override
    public synchronized VaultStatus status() {
        pending = Math.max(0, pending - 1);
        return now();
    }
}
