package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.vault.Vault;
import palyra.transport.grpc.internal.wire.gateway.DeleteSecretRequest;
import palyra.transport.grpc.internal.wire.gateway.GetSecretRequest;
import palyra.transport.grpc.internal.wire.gateway.ListSecretsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListSecretsResponse;
import palyra.transport.grpc.internal.wire.gateway.PutSecretRequest;
import palyra.transport.grpc.internal.wire.gateway.VaultSecretMetadata;

class VaultCallsTest {
    private static final String OWN = "principal:user:anna";

    @TempDir Path state;
    private TestGateway gateway;
    private Client root;
    private Client anna;
    private Client bert;
    private Vault vault;

    @BeforeEach
    void open() {
        gateway = new TestGateway(state).engineComes();
        vault = Elsewhere.of(Vault.class, new FakeVault());
        gateway.seams.vault().add(vault, Map.of());
        root = gateway.client("user:root", "operator");
        anna = gateway.client("user:anna", "integrator");
        bert = gateway.client("user:bert", "viewer");
    }

    @AfterEach
    void close() {
        root.close();
        anna.close();
        bert.close();
        gateway.close();
    }

    private static PutSecretRequest.Builder put(String scope, String key, String value) {
        return PutSecretRequest.newBuilder()
                .setV(1)
                .setScope(scope)
                .setKey(key)
                .setValue(ByteString.copyFromUtf8(value));
    }

    private static String get(Client client, String scope, String key) {
        GetSecretRequest request =
                GetSecretRequest.newBuilder().setV(1).setScope(scope).setKey(key).build();
        return client.vault().getSecret(request).getValue().toStringUtf8();
    }

    private static boolean delete(Client client, String scope, String key) {
        DeleteSecretRequest request =
                DeleteSecretRequest.newBuilder().setV(1).setScope(scope).setKey(key).build();
        return client.vault().deleteSecret(request).getDeleted();
    }

    private static ListSecretsResponse list(Client client, String scope) {
        return client.vault()
                .listSecrets(ListSecretsRequest.newBuilder().setV(1).setScope(scope).build());
    }

    private static Status refused(Runnable call) {
        return assertThrows(StatusRuntimeException.class, call::run).getStatus();
    }

    @Test
    void aSecretIsPutReadListedAndDeletedByItsOwner() {
        VaultSecretMetadata put =
                anna.vault().putSecret(put(OWN, "token", "s3cret").build()).getSecret();
        assertEquals(OWN, put.getScope());
        assertEquals("token", put.getKey());
        assertEquals(6, put.getValueBytes());
        assertEquals(1, put.getVersion());
        assertEquals("user:anna", put.getUpdatedBy());
        assertEquals("s3cret", get(anna, OWN, "token"));
        assertEquals(List.of(put), list(anna, OWN).getSecretsList());
        assertTrue(delete(anna, OWN, "token"));
        assertFalse(delete(anna, OWN, "token"));
        assertEquals(Status.Code.NOT_FOUND, refused(() -> get(anna, OWN, "token")).getCode());
    }

    @Test
    void whatIsSomebodyElsesOrNobodysIsForOperators() {
        root.vault().putSecret(put("global", "key", "of all").build());
        root.vault().putSecret(put("principal:user:bert", "key", "of bert").build());
        root.vault().putSecret(put(OWN, "key", "of anna").build());
        for (String scope : List.of("global", "principal:user:bert", "skill:x", "channel:a:b")) {
            for (Runnable call :
                    List.<Runnable>of(
                            () -> get(anna, scope, "key"),
                            () -> anna.vault().putSecret(put(scope, "key", "x").build()),
                            () -> delete(anna, scope, "key"),
                            () -> list(anna, scope))) {
                assertEquals(Status.Code.PERMISSION_DENIED, refused(call).getCode(), scope);
            }
        }
        assertEquals(Status.Code.PERMISSION_DENIED, refused(() -> list(anna, "")).getCode());
        assertEquals(
                Status.Code.PERMISSION_DENIED,
                refused(() -> get(bert, "principal:user:bert", "key")).getCode());
        assertEquals("of all", get(root, "global", "key"));
        assertEquals("of anna", get(anna, OWN, "key"));
        assertEquals(3, list(root, "").getSecretsCount());
    }

    @Test
    void whoPutsMayNameTheVersionThatHeSaw() {
        root.vault().putSecret(put("global", "key", "one").setExpectedVersion(0).build());
        Status conflict =
                refused(
                        () ->
                                root.vault()
                                        .putSecret(
                                                put("global", "key", "x")
                                                        .setExpectedVersion(0)
                                                        .build()));
        assertFalse(conflict.isOk());
        root.vault().putSecret(put("global", "key", "two").setExpectedVersion(1).build());
        assertEquals("two", get(root, "global", "key"));
    }

    @Test
    void whatIsNotUsableIsRefusedWithoutRepeatingAValue() {
        List<PutSecretRequest> bad =
                List.of(
                        put("", "key", "never-shown").build(),
                        put("global", "", "never-shown").build(),
                        put("nowhere", "key", "never-shown").build(),
                        put("principal:", "key", "never-shown").build(),
                        put("channel:a", "key", "never-shown").build(),
                        put("global", "a/b", "never-shown").build(),
                        put("global", "x".repeat(129), "never-shown").build(),
                        put("global", "key", "").build(),
                        put("global", "key", "never-shown".repeat(6_000)).build(),
                        put("global", "key", "never-shown").setExpectedVersion(-1).build());
        for (PutSecretRequest request : bad) {
            Status status = refused(() -> root.vault().putSecret(request));
            assertEquals(Status.Code.INVALID_ARGUMENT, status.getCode(), status.toString());
            assertFalse(status.getDescription().contains("never-shown"), status.toString());
        }
        assertEquals(Status.Code.INVALID_ARGUMENT, refused(() -> list(root, "no")).getCode());
    }

    @Test
    void withoutAVaultThereIsARefusalAndNoAnswer() {
        gateway.seams.vault().remove(vault);
        Status status = refused(() -> get(root, "global", "key"));
        assertEquals(Status.Code.UNAVAILABLE, status.getCode(), status.toString());
    }
}
