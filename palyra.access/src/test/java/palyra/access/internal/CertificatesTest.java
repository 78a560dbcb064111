package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Credential;
import palyra.api.core.ops.Finding;

class CertificatesTest {
    private static final String ONE = "0123456789abcdef".repeat(4);
    private static final String TWO = "fedcba9876543210".repeat(4);

    private static Principal come(Certificates certificates, String sha256) {
        return certificates.principal(new Credential.ClientCertificate(sha256, "CN=anything"));
    }

    private static ErrorCode refused(Certificates certificates, String sha256) {
        return assertThrows(PalyraException.class, () -> come(certificates, sha256)).code();
    }

    private static Certificates of(String... lines) {
        return Certificates.of(lines);
    }

    @Test
    void aNamedCertificateIsItsPrincipal() {
        Certificates certificates =
                of(ONE + "=service:ci;integrator, viewer", "", TWO + "=user:ann;operator");
        assertEquals(List.of(), certificates.findings());
        assertEquals(
                new Principal(
                        "service:ci",
                        PrincipalKind.SERVICE,
                        Set.of("integrator", "viewer"),
                        Set.of(),
                        "cert:0123456789abcdef"),
                come(certificates, ONE));
        assertEquals("user:ann", come(certificates, TWO).id());
        assertEquals(PrincipalKind.USER, come(certificates, TWO).kind());
    }

    @Test
    void anUnknownCertificateIsNobody() {
        assertEquals(ErrorCode.UNAUTHENTICATED, refused(Certificates.none(), ONE));
        assertEquals(ErrorCode.UNAUTHENTICATED, refused(of(ONE + "=user:a;viewer"), TWO));
        // Whatever its subject claims: only the fingerprint counts.
        assertEquals(
                ErrorCode.UNAUTHENTICATED,
                assertThrows(
                                PalyraException.class,
                                () ->
                                        of(ONE + "=user:a;viewer")
                                                .principal(
                                                        new Credential.ClientCertificate(
                                                                TWO, "CN=user:a")))
                        .code());
    }

    @Test
    void fingerprintsMayBeWrittenAsToolsPrintThem() {
        StringBuilder printed = new StringBuilder();
        for (int i = 0; i < ONE.length(); i += 2) {
            printed.append(i == 0 ? "" : ":").append(ONE, i, i + 2);
        }
        String line = printed.toString().toUpperCase(Locale.ROOT) + " = user:a ; viewer";
        assertEquals("user:a", come(of(line), ONE).id());
    }

    @Test
    void aBadLineAdmitsNobodyAndIsNamed() {
        String good = TWO + "=user:good;viewer";
        for (String bad :
                List.of(
                        ONE,
                        ONE + "=",
                        ONE + "=user:a",
                        ONE + "=user:a;",
                        ONE + "=user:a;viewer,",
                        ONE + "=user:a;viewer;operator",
                        ONE + "=user:a;root",
                        ONE + "=user:a;Viewer",
                        ONE + "=system:gateway;operator",
                        ONE + "=alice;viewer",
                        ONE + "=user:;viewer",
                        ONE + "=user:a b;viewer",
                        ONE.substring(1) + "=user:a;viewer",
                        ONE + "0=user:a;viewer",
                        "g" + ONE.substring(1) + "=user:a;viewer",
                        "=user:a;viewer")) {
            Certificates certificates = of(good, bad);
            assertEquals(1, certificates.findings().size(), bad);
            Finding finding = certificates.findings().get(0);
            assertTrue(finding.message().contains("Line 2"), finding.message());
            assertEquals(Finding.Severity.ERROR, finding.severity());
            assertFalse(finding.remedy().isEmpty());
            assertEquals(ErrorCode.UNAUTHENTICATED, refused(certificates, ONE), bad);
            assertEquals("user:good", come(certificates, TWO).id());
        }
    }

    @Test
    void aCertificateThatIsNamedTwiceIsNobodys() {
        Certificates twice =
                of(ONE + "=user:a;viewer", ONE + "=user:b;operator", ONE + "=user:c;viewer");
        assertEquals(2, twice.findings().size());
        assertTrue(twice.findings().get(0).message().contains("more than once"));
        assertEquals(ErrorCode.UNAUTHENTICATED, refused(twice, ONE));
    }

    @Test
    void aBadSecondLineOfTheSameCertificateTakesItAway() {
        Certificates broken = of(ONE + "=user:a;viewer", ONE + "=user:b;root");
        assertEquals(1, broken.findings().size());
        assertEquals(ErrorCode.UNAUTHENTICATED, refused(broken, ONE));
    }

    /** A configuration of these lines and the defaults, as declarative services makes it. */
    private static AccessConfig config(String... certificates) {
        return AccessConfig.class.cast(
                Proxy.newProxyInstance(
                        AccessConfig.class.getClassLoader(),
                        new Class<?>[] {AccessConfig.class},
                        (proxy, method, arguments) ->
                                method.getName().equals("certificates")
                                        ? certificates
                                        : method.getDefaultValue()));
    }

    @Test
    void aChangeOfTheConfigurationTakesEffectAtOnce(@TempDir Path state) {
        try (Stage stage = Stage.open(state)) {
            Credential certificate = new Credential.ClientCertificate(ONE, "");
            PalyraException unknown =
                    assertThrows(
                            PalyraException.class, () -> stage.access.authenticate(certificate));
            assertEquals(ErrorCode.UNAUTHENTICATED, unknown.code());
            stage.access.settings(
                    AccessSettings.of(config(ONE + "=service:ci;integrator", "nonsense")));
            Principal ci = stage.access.authenticate(certificate);
            assertEquals("service:ci", ci.id());
            assertEquals(1, stage.access.findings().size());
            stage.access.authorize(new AccessRequest(ci, "run.start", "", ci.id(), Map.of()));
            stage.access.settings(AccessSettings.of(config()));
            assertEquals(List.of(), stage.access.findings());
            assertThrows(PalyraException.class, () -> stage.access.authenticate(certificate));
        }
    }
}
