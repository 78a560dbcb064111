package palyra.shared.vault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;
import palyra.shared.gate.Gate;

class SecretLenderTest {
    private static final SecretUse USE =
            new SecretUse(
                    "user:anna",
                    Set.of("integrator"),
                    "helper",
                    "01RUN",
                    "01CALL",
                    "palyra.http.fetch",
                    SecretRef.parse("vault:principal:user:anna/token"));

    private final Gate<Access> access =
            new Gate<>("access control", ErrorCode.POLICY_UNAVAILABLE, 0);
    private final Gate<Vault> vault = new Gate<>("the vault", ErrorCode.KEYS_UNAVAILABLE, 0);
    private final SecretLender desk = new SecretLender(access, vault);
    private final List<String> steps = new ArrayList<>();
    private final Secret lent = service(Secret.class, "use", arguments -> null);

    /** A service of which one method is expected, and noted. */
    private <T> T service(Class<T> type, String name, Function<Object[], Object> answer) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            if (method.getDeclaringClass() == Object.class) {
                                return method.getName().equals("equals")
                                        ? proxy == arguments[0]
                                        : System.identityHashCode(proxy);
                            }
                            assertEquals(name, method.getName());
                            steps.add(name);
                            return answer.apply(arguments);
                        }));
    }

    private void policySays(Function<AccessRequest, Permit> answer) {
        access.add(
                service(
                        Access.class,
                        "authorizeAndRecord",
                        arguments -> answer.apply((AccessRequest) arguments[0])),
                Map.of());
    }

    private void vaultLends(Function<Permit, Secret> answer) {
        vault.add(
                service(
                        Vault.class,
                        "get",
                        arguments -> {
                            assertEquals(USE.ref(), arguments[1]);
                            return answer.apply((Permit) arguments[0]);
                        }),
                Map.of());
    }

    private static Permit permitted(AccessRequest asked) {
        return new Permit(
                "01PERMIT",
                asked.principal(),
                asked.action(),
                asked.resource(),
                DecisionSource.BUILT_IN_RULES,
                "",
                0);
    }

    @Test
    void policyIsAskedAndRecordedBeforeTheVaultIs() {
        List<AccessRequest> asked = new ArrayList<>();
        List<Permit> given = new ArrayList<>();
        policySays(
                request -> {
                    asked.add(request);
                    return permitted(request);
                });
        vaultLends(
                permit -> {
                    given.add(permit);
                    return lent;
                });
        assertSame(lent, desk.lend(USE));
        assertEquals(List.of("authorizeAndRecord", "get"), steps);
        AccessRequest question = asked.get(0);
        assertEquals("vault.get", question.action());
        assertEquals("vault:principal:user:anna/token", question.resource());
        assertEquals("user:anna", question.owner());
        assertEquals(
                Map.of(
                        "purpose", "palyra.http.fetch",
                        "agent", "helper",
                        "run", "01RUN",
                        "call", "01CALL"),
                question.facts());
        assertEquals("01PERMIT", given.get(0).permitId());
    }

    @Test
    void aDenialNeverReachesTheVault() {
        policySays(
                request -> {
                    throw new PalyraException(ErrorCode.DENIED, "No.");
                });
        vaultLends(permit -> lent);
        assertEquals(
                ErrorCode.DENIED, assertThrows(PalyraException.class, () -> desk.lend(USE)).code());
        assertEquals(List.of("authorizeAndRecord"), steps);
    }

    @Test
    void withoutAccessControlNothingIsLent() {
        vaultLends(permit -> lent);
        assertEquals(
                ErrorCode.POLICY_UNAVAILABLE,
                assertThrows(PalyraException.class, () -> desk.lend(USE)).code());
        assertEquals(List.of(), steps);
    }

    @Test
    void withoutAVaultThereIsNoneAndItSaysSo() {
        policySays(SecretLenderTest::permitted);
        assertFalse(desk.available());
        assertEquals(
                ErrorCode.KEYS_UNAVAILABLE,
                assertThrows(PalyraException.class, () -> desk.lend(USE)).code());
        vaultLends(permit -> lent);
        assertTrue(desk.available());
    }

    @Test
    void noGateIsHeldWhileAnotherIsAsked() {
        policySays(
                request -> {
                    assertFalse(vault.isPresent());
                    vaultLends(permit -> lent);
                    return permitted(request);
                });
        assertSame(lent, desk.lend(USE), "a vault that came meanwhile is asked");
    }
}
