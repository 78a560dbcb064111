package palyra.transport.grpc.internal.service;

import io.grpc.stub.StreamObserver;
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
import palyra.transport.grpc.internal.wire.gateway.VaultServiceGrpc;

/** The rpcs of {@code VaultService}; as {@link GatewayServiceImpl}. Thread-safe. */
public final class VaultServiceImpl extends VaultServiceGrpc.VaultServiceImplBase {
    private final VaultCalls vault;

    /** Creates the service; nothing behind the seams needs to be there. */
    public VaultServiceImpl(Seams seams) {
        this.vault = new VaultCalls(seams);
    }

    private static <T> void answer(StreamObserver<T> client, T response) {
        client.onNext(response);
        client.onCompleted();
    }

    @Override
    public void putSecret(PutSecretRequest request, StreamObserver<PutSecretResponse> client) {
        answer(client, vault.put(Callers.current(), request));
    }

    @Override
    public void getSecret(GetSecretRequest request, StreamObserver<GetSecretResponse> client) {
        answer(client, vault.get(Callers.current(), request));
    }

    @Override
    public void deleteSecret(
            DeleteSecretRequest request, StreamObserver<DeleteSecretResponse> client) {
        answer(client, vault.delete(Callers.current(), request));
    }

    @Override
    public void listSecrets(
            ListSecretsRequest request, StreamObserver<ListSecretsResponse> client) {
        answer(client, vault.list(Callers.current(), request));
    }
}
