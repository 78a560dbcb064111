package palyra.transport.grpc.internal.service;

import com.google.protobuf.ByteString;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import palyra.api.Require;
import palyra.api.access.Permit;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;
import palyra.shared.gate.Gate;
import palyra.transport.grpc.internal.Seams;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.wire.gateway.DeleteSecretRequest;
import palyra.transport.grpc.internal.wire.gateway.DeleteSecretResponse;
import palyra.transport.grpc.internal.wire.gateway.GetSecretRequest;
import palyra.transport.grpc.internal.wire.gateway.GetSecretResponse;
import palyra.transport.grpc.internal.wire.gateway.ListSecretsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListSecretsResponse;
import palyra.transport.grpc.internal.wire.gateway.PutSecretRequest;
import palyra.transport.grpc.internal.wire.gateway.PutSecretResponse;
import palyra.transport.grpc.internal.wire.gateway.VaultSecretMetadata;

/**
 * Calls about secrets. The copies of a value that belong to gRPC itself live as long as the
 * message; ours are overwritten. Thread-safe.
 */
final class VaultCalls {
    private static final Map<String, String> FACTS = Map.of("surface", "grpc", "purpose", "grpc");

    private final Gate<Access> access;
    private final Gate<Vault> vault;

    VaultCalls(Seams seams) {
        this.access = seams.access();
        this.vault = seams.vault();
    }

    private static SecretRef ref(String scope, String key) {
        Require.that(!scope.isBlank(), "scope is missing; it is global, or principal:ID and so on");
        Require.that(!key.isBlank(), "key is missing; it names a secret within its scope");
        return new SecretRef(
                Requests.atMost(scope, 2 * Requests.MAX_NAME + 20, "scope"),
                Requests.atMost(key, Requests.MAX_NAME, "key"));
    }

    private static AccessRequest question(Caller caller, String action, SecretRef ref) {
        return new AccessRequest(caller.principal(), action, ref.resource(), ref.owner(), FACTS);
    }

    PutSecretResponse put(Caller caller, PutSecretRequest request) {
        Requests.version(request.getV());
        SecretRef ref = ref(request.getScope(), request.getKey());
        int size = request.getValue().size();
        Require.that(
                size >= 1 && size <= Vault.MAX_VALUE_BYTES,
                "value has " + size + " bytes; 1 to " + Vault.MAX_VALUE_BYTES + " are kept");
        long expected =
                request.hasExpectedVersion()
                        ? Requests.count(request.getExpectedVersion(), "expected_version")
                        : -1;
        AccessRequest question = question(caller, "vault.put", ref);
        Authorized permit = Leases.call(access, present -> present.authorize(question));
        byte[] value = request.getValue().toByteArray();
        try {
            SecretInfo info =
                    Leases.call(vault, present -> present.put(permit, ref, value, expected));
            return PutSecretResponse.newBuilder().setV(1).setSecret(metadata(info)).build();
        } finally {
            Arrays.fill(value, (byte) 0);
        }
    }

    GetSecretResponse get(Caller caller, GetSecretRequest request) {
        Requests.version(request.getV());
        SecretRef ref = ref(request.getScope(), request.getKey());
        AccessRequest question = question(caller, "vault.get", ref);
        Permit permit = Leases.call(access, present -> present.authorizeAndRecord(question));
        try (Secret secret = Leases.call(vault, present -> present.get(permit, ref))) {
            ByteString value = secret.use(ByteString::copyFrom);
            return GetSecretResponse.newBuilder().setV(1).setValue(value).build();
        }
    }

    DeleteSecretResponse delete(Caller caller, DeleteSecretRequest request) {
        Requests.version(request.getV());
        SecretRef ref = ref(request.getScope(), request.getKey());
        AccessRequest question = question(caller, "vault.delete", ref);
        Authorized permit = Leases.call(access, present -> present.authorize(question));
        boolean deleted = Leases.call(vault, present -> present.delete(permit, ref));
        return DeleteSecretResponse.newBuilder().setV(1).setDeleted(deleted).build();
    }

    ListSecretsResponse list(Caller caller, ListSecretsRequest request) {
        Requests.version(request.getV());
        String scope = request.getScope();
        String after = Requests.atMost(request.getAfterKey(), 1_024, "after_key");
        String owner = scope.isEmpty() ? "" : ref(scope, "any").owner();
        String resource = SecretRef.PREFIX + (scope.isEmpty() ? "" : scope + "/");
        AccessRequest question =
                new AccessRequest(caller.principal(), "vault.list", resource, owner, FACTS);
        Permit permit = Leases.call(access, present -> present.authorizeRead(question));
        List<SecretInfo> found = Leases.call(vault, present -> present.list(permit, scope, after));
        ListSecretsResponse.Builder response = ListSecretsResponse.newBuilder().setV(1);
        found.forEach(info -> response.addSecrets(metadata(info)));
        if (found.size() == Vault.MAX_LIST) {
            SecretRef last = found.get(found.size() - 1).ref();
            response.setNextAfterKey(
                    scope.isEmpty() ? last.scope() + "/" + last.key() : last.key());
        }
        return response.build();
    }

    private static VaultSecretMetadata metadata(SecretInfo info) {
        return VaultSecretMetadata.newBuilder()
                .setScope(info.ref().scope())
                .setKey(info.ref().key())
                .setCreatedAtUnixMs(info.createdAtMillis())
                .setUpdatedAtUnixMs(info.updatedAtMillis())
                .setValueBytes(info.bytes())
                .setVersion(info.version())
                .setUpdatedBy(info.updatedBy())
                .build();
    }
}
