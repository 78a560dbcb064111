package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;

class DelegationTest {
    private static final String SCOPE = "access.speak_for";

    @TempDir Path state;
    private Stage stage;

    @BeforeEach
    void open() {
        stage = Stage.open(state);
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private static Principal speaker(String... groups) {
        return People.scoped(People.person("bridge", groups), SCOPE, "run.*", "session.*");
    }

    private ErrorCode refused(Principal speaker, String id) {
        return assertThrows(PalyraException.class, () -> stage.access.speakFor(speaker, id)).code();
    }

    @Test
    void whoComesOutStartsAndReadsAndDecidesNothing() {
        Principal bob =
                stage.access.speakFor(
                        speaker("integrator", "viewer", "approver", "operator"), "user:bob");
        assertEquals(
                new Principal(
                        "user:bob",
                        PrincipalKind.USER,
                        Set.of("integrator", "viewer"),
                        Set.of(SCOPE, "run.*", "session.*"),
                        "token:bridge",
                        "user:bridge"),
                bob);
        stage.access.authorize(new AccessRequest(bob, "run.start", "", bob.id(), Map.of()));
        for (String action : List.of("approval.decide", "access.token.create", "agent.create")) {
            PalyraException denied =
                    assertThrows(
                            PalyraException.class,
                            () ->
                                    stage.access.authorize(
                                            new AccessRequest(
                                                    bob, action, "", bob.id(), Map.of())));
            assertEquals(ErrorCode.DENIED, denied.code());
        }
    }

    @Test
    void groupsOfTheSpeakerAreNeverWidened() {
        assertEquals(
                Set.of("integrator"),
                stage.access.speakFor(speaker("integrator"), "user:bob").groups());
        assertEquals(Set.of(), stage.access.speakFor(speaker("operator"), "user:bob").groups());
    }

    @Test
    void theKindFollowsFromTheName() {
        Principal speaker = speaker("integrator");
        assertEquals(PrincipalKind.DEVICE, stage.access.speakFor(speaker, "device:phone").kind());
        assertEquals(PrincipalKind.SERVICE, stage.access.speakFor(speaker, "service:cron").kind());
        assertEquals(PrincipalKind.SERVICE, stage.access.speakFor(speaker, "discord:42").kind());
        assertEquals("discord:42", stage.access.speakFor(speaker, "discord:42").id());
    }

    @Test
    void speakingForOneselfChangesNothing() {
        Principal plain = People.person("bridge", "viewer");
        assertSame(plain, stage.access.speakFor(plain, plain.id()));
        Principal owner = stage.owner();
        assertSame(owner, stage.access.speakFor(owner, owner.id()));
    }

    @Test
    void withoutThatScopeByNameNobodySpeaksForAnybody() {
        Principal integrator = People.person("bridge", "integrator");
        for (Principal speaker :
                List.of(
                        integrator,
                        stage.owner(),
                        People.person("op", "operator"),
                        People.scoped(integrator, "*"),
                        People.scoped(integrator, "access.*"),
                        People.scoped(integrator, "run.*"),
                        speaker("viewer"),
                        speaker("approver"),
                        speaker())) {
            assertEquals(ErrorCode.DENIED, refused(speaker, "user:bob"), speaker.toString());
        }
        List<String> denials = stage.events(DecisionRecord.ACCESS_DECISION);
        assertEquals(9, denials.size());
        assertTrue(
                denials.stream()
                        .allMatch(
                                denial ->
                                        denial.contains("\"resource\":\"principal:user:bob\"")
                                                && denial.contains("\"decision\":\"deny\"")));
    }

    @Test
    void nobodySpeaksForTheGatewayItself() {
        Principal speaker = speaker("integrator", "operator");
        for (String name :
                List.of(
                        "system:gateway",
                        "SYSTEM:x",
                        "system",
                        "system:",
                        "group:approver",
                        "GROUP:x",
                        "user:",
                        "discord:")) {
            assertEquals(ErrorCode.INVALID_ARGUMENT, refused(speaker, name), name);
        }
    }

    @Test
    void refusesToSpeakForOperatorAndLocalFiles() {
        Principal speaker = speaker("integrator", "operator");
        for (String name : List.of("operator", "local-files", "Operator", "LOCAL-FILES")) {
            PalyraException refusal =
                    assertThrows(PalyraException.class, () -> stage.access.speakFor(speaker, name));
            assertEquals(ErrorCode.INVALID_ARGUMENT, refusal.code(), name);
            assertTrue(
                    refusal.getMessage().contains("the gateway records its own work"),
                    refusal.getMessage());
        }
        assertEquals("user:operator2", stage.access.speakFor(speaker, "user:operator2").id());
    }

    @Test
    void remembersThePersonBehindTheNameThatItSpeaksFor() {
        Principal speaker = speaker("integrator");
        Principal bob = stage.access.speakFor(speaker, "user:bob");
        assertEquals(speaker.id(), bob.person());
        assertEquals("user:bob", bob.id());
        assertEquals(speaker.id(), speaker.person());
    }

    @Test
    void aNameThatCannotBeIsRefused() {
        Principal speaker = speaker("integrator");
        for (String name : List.of("", " ", "user:a b", "user:a/b", "user:" + "x".repeat(124))) {
            assertEquals(ErrorCode.INVALID_ARGUMENT, refused(speaker, name), name);
        }
        assertEquals(ErrorCode.INVALID_ARGUMENT, refused(speaker, null));
        // The longest that can be is taken.
        stage.access.speakFor(speaker, "user:" + "x".repeat(123));
    }

    @Test
    void aTokenMadeForItSpeaksAndOneWithoutDoesNot() {
        Principal owner = stage.owner();
        String speaks =
                stage.token(owner, "service:bridge", "integrator", SCOPE, "run.start").secret();
        String unlimited = stage.token(owner, "service:bridge", "integrator").secret();
        Principal bob = stage.access.speakFor(stage.come(speaks), "user:bob");
        stage.access.authorize(new AccessRequest(bob, "run.start", "", bob.id(), Map.of()));
        assertEquals(ErrorCode.DENIED, refused(stage.come(unlimited), "user:bob"));
    }

    @Test
    void withoutADecisionNobodySpeaks() {
        stage.rules.kill(KillableRules.Death.NO_DECISION);
        assertEquals(ErrorCode.POLICY_UNAVAILABLE, refused(speaker("integrator"), "user:bob"));
    }
}
