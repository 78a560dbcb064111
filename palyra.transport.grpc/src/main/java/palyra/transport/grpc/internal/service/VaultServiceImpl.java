package palyra.transport.grpc.internal.service;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
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
import palyra.transport.grpc.internal.call.Callers;
import palyra.transport.grpc.internal.wire.gateway.DeleteSecretRequest;
import palyra.transport.grpc.internal.wire.gateway.DeleteSecretResponse;
import palyra.transport.grpc.internal.wire.gateway.GetSecretRequest;
import palyra.transport.grpc.internal.wire.gateway.GetSecretResponse;
import palyra.transport.grpc.internal.wire.gateway.ListSecretsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListSecretsResponse;
import palyra.transport.grpc.internal.wire.gateway.PutSecretRequest;
import palyra.transport.grpc.internal.wire.gateway.PutSecretResponse;
import palyra.transport.grpc.internal.wire.gateway.VaultSecretMetadata;
import palyra.transport.grpc.internal.wire.gateway.VaultServiceGrpc;

/**
 * The rpcs of {@code VaultService}; as {@link GatewayServiceImpl}. gRPC's own copies of a value
 * live as long as the message; the others are overwritten. Thread-safe.
 */
public final class VaultServiceImpl extends VaultServiceGrpc.VaultServiceImplBase {
    private static final Map<String, String> FACTS = Map.of("surface", "grpc", "purpose", "grpc");

    private final Gate<Access> access;
    private final Gate<Vault> vault;

    /** Creates the service; nothing behind the seams needs to be there. */
    public VaultServiceImpl(Seams seams) {
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

    private static AccessRequest request(String action, SecretRef ref) {
        return new AccessRequest(
                Callers.current().principal(), action, ref.resource(), ref.owner(), FACTS);
    }

    @Override
    public void putSecret(PutSecretRequest request, StreamObserver<PutSecretResponse> client) {
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
        AccessRequest policyRequest = request("vault.put", ref);
        Authorized permit = GateCalls.call(access, present -> present.authorize(policyRequest));
        byte[] value = request.getValue().toByteArray();
        try {
            SecretInfo info =
                    GateCalls.call(vault, present -> present.put(permit, ref, value, expected));
            ApiMapper.reply(
                    client,
                    PutSecretResponse.newBuilder().setV(1).setSecret(metadata(info)).build());
        } finally {
            Arrays.fill(value, (byte) 0);
        }
    }

    @Override
    public void getSecret(GetSecretRequest request, StreamObserver<GetSecretResponse> client) {
        Requests.version(request.getV());
        SecretRef ref = ref(request.getScope(), request.getKey());
        AccessRequest policyRequest = request("vault.get", ref);
        Permit permit =
                GateCalls.call(access, present -> present.authorizeAndRecord(policyRequest));
        try (Secret secret = GateCalls.call(vault, present -> present.get(permit, ref))) {
            ByteString value = secret.use(ByteString::copyFrom);
            ApiMapper.reply(client, GetSecretResponse.newBuilder().setV(1).setValue(value).build());
        }
    }

    @Override
    public void deleteSecret(
            DeleteSecretRequest request, StreamObserver<DeleteSecretResponse> client) {
        Requests.version(request.getV());
        SecretRef ref = ref(request.getScope(), request.getKey());
        AccessRequest policyRequest = request("vault.delete", ref);
        Authorized permit = GateCalls.call(access, present -> present.authorize(policyRequest));
        boolean deleted = GateCalls.call(vault, present -> present.delete(permit, ref));
        ApiMapper.reply(
                client, DeleteSecretResponse.newBuilder().setV(1).setDeleted(deleted).build());
    }

    @Override
    public void listSecrets(
            ListSecretsRequest request, StreamObserver<ListSecretsResponse> client) {
        Requests.version(request.getV());
        String scope = request.getScope();
        String after = Requests.atMost(request.getAfterKey(), 1_024, "after_key");
        String owner = scope.isEmpty() ? "" : ref(scope, "any").owner();
        String resource = SecretRef.PREFIX + (scope.isEmpty() ? "" : scope + "/");
        AccessRequest policyRequest =
                new AccessRequest(
                        Callers.current().principal(), "vault.list", resource, owner, FACTS);
        Permit permit = GateCalls.call(access, present -> present.authorizeRead(policyRequest));
        List<SecretInfo> found =
                GateCalls.call(vault, present -> present.list(permit, scope, after));
        ListSecretsResponse.Builder response = ListSecretsResponse.newBuilder().setV(1);
        found.forEach(info -> response.addSecrets(metadata(info)));
        if (found.size() == Vault.MAX_LIST) {
            SecretRef last = found.get(found.size() - 1).ref();
            response.setNextAfterKey(
                    scope.isEmpty() ? last.scope() + "/" + last.key() : last.key());
        }
        ApiMapper.reply(client, response.build());
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
