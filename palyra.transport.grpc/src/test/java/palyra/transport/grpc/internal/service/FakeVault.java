package palyra.transport.grpc.internal.service;

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

/** A vault in memory that checks permits as the real one does. */
final class FakeVault implements Vault {
    private record Kept(SecretInfo info, byte[] value) {}

    private final TreeMap<String, Kept> kept = new TreeMap<>(); // guarded by this

    private static void require(Permit permit, String action, String resource) {
        permit.requireFor(action, System.currentTimeMillis());
        if (!permit.resource().equals(resource)) {
            throw new PalyraException(ErrorCode.DENIED, "The permit is for something else.");
        }
    }

    @Override
    public synchronized SecretInfo put(
            Authorized permit, SecretRef ref, byte[] value, long expectedVersion) {
        require(permit.permit(), "vault.put", ref.resource());
        Kept before = kept.get(ref.toString());
        long version = before == null ? 0 : before.info().version();
        if (expectedVersion >= 0 && expectedVersion != version) {
            throw new PalyraException(ErrorCode.CONFLICT, "Another version is there.");
        }
        String by = permit.permit().principal().id();
        SecretInfo info = new SecretInfo(ref, version + 1, value.length, 1, 2, by, 1);
        kept.put(ref.toString(), new Kept(info, value.clone()));
        Arrays.fill(value, (byte) 0);
        return info;
    }

    @Override
    public synchronized Secret get(Permit permit, SecretRef ref) {
        require(permit, "vault.get", ref.resource());
        Kept there = kept.get(ref.toString());
        if (there == null) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "There is no secret " + ref + ".");
        }
        byte[] value = there.value().clone();
        return new Secret() {
            @Override
            public SecretInfo info() {
                return there.info();
            }

            @Override
            public <T> T use(Function<byte[], T> use) {
                return use.apply(value);
            }

            @Override
            public void close() {
                Arrays.fill(value, (byte) 0);
            }
        };
    }

    @Override
    public synchronized boolean delete(Authorized permit, SecretRef ref) {
        require(permit.permit(), "vault.delete", ref.resource());
        return kept.remove(ref.toString()) != null;
    }

    @Override
    public synchronized List<SecretInfo> list(Permit permit, String scope, String afterKey) {
        String from = "vault:" + (scope.isEmpty() ? "" : scope + "/");
        require(permit, "vault.list", from);
        return kept.tailMap(from + afterKey, false).entrySet().stream()
                .filter(each -> each.getKey().startsWith(from))
                .map(each -> each.getValue().info())
                .toList();
    }

    @Override
    public VaultStatus rotate(Authorized permit) {
        throw new UnsupportedOperationException("not here");
    }

    @Override
    public VaultStatus status() {
        return new VaultStatus(true, "", "file", 1, 0, 0);
    }
}
