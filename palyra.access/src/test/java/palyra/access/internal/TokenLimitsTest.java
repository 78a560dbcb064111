package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.TokenView;

class TokenLimitsTest {
    private static final List<String> ACTIONS = List.copyOf(new TreeSet<>(Actions.named()));

    private static TokenView wanted(
            String principal, Set<String> groups, Set<String> scopes, long expires) {
        return new TokenView(
                "01ARZ3NDEKTSV4RRFFQ69G5FAV", "", principal, groups, scopes, 1, expires, 0);
    }

    /** Whatever is made may do nothing that its maker may not do. */
    @Test
    void aTokenThatIsGrantedNeverReachesFurtherThanItsMaker() {
        Random random = new Random(20_261_122);
        BuiltInRules rules = new BuiltInRules();
        int granted = 0;
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            Principal maker = randomMaker(random);
            TokenView wanted =
                    wanted(
                            random.nextBoolean() ? maker.id() : "user:" + random.nextInt(3),
                            randomGroups(random),
                            randomScopes(random),
                            0);
            try {
                TokenLimits.requireWithin(wanted, maker, Optional.empty());
                granted++;
            } catch (PalyraException e) {
                assertEquals(ErrorCode.DENIED, e.code());
                refused++;
                continue;
            }
            Principal holder =
                    new Principal(
                            wanted.principal(),
                            PrincipalKind.USER,
                            wanted.groups(),
                            wanted.scopes(),
                            "token:x");
            for (String action : ACTIONS) {
                for (String owner : List.of("", wanted.principal(), "user:else")) {
                    boolean reaches = may(rules, holder, action, owner);
                    // What needs its scope by name is an operator's to give, not to have.
                    boolean gives =
                            maker.in("operator")
                                    && BuiltInRules.needsScopeByName(action)
                                    && Scopes.allow(maker.scopes(), action);
                    assertTrue(
                            !reaches || gives || may(rules, maker, action, owner),
                            () -> maker + " made " + wanted + " which may " + action);
                }
            }
        }
        assertTrue(granted > 500 && refused > 500, granted + " granted, " + refused + " refused");
    }

    private static boolean may(BuiltInRules rules, Principal who, String action, String owner) {
        return Scopes.allow(who.scopes(), action)
                && rules.decide(new AccessRequest(who, action, "", owner, Map.of()))
                        instanceof AccessDecision.Allow;
    }

    private static Principal randomMaker(Random random) {
        return new Principal(
                "user:" + random.nextInt(3),
                PrincipalKind.USER,
                randomGroups(random),
                randomScopes(random),
                "token:maker");
    }

    private static Set<String> randomGroups(Random random) {
        List<String> groups = new ArrayList<>(new TreeSet<>(BuiltInRules.GROUPS));
        Collections.shuffle(groups, random);
        return Set.copyOf(groups.subList(0, 1 + random.nextInt(2)));
    }

    private static Set<String> randomScopes(Random random) {
        Set<String> scopes = new TreeSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String action = ACTIONS.get(random.nextInt(ACTIONS.size()));
            scopes.add(
                    random.nextBoolean()
                            ? action
                            : action.substring(0, random.nextInt(action.length())) + "*");
        }
        return scopes;
    }

    @Test
    void onlyOperatorsGiveOutWhatNeedsItsScopeByName() {
        for (String scope : List.of("access.speak_for", "tool.allow_sensitive")) {
            Principal integrator = People.person("ivy", "integrator");
            TokenView wanted = wanted(integrator.id(), Set.of("integrator"), Set.of(scope), 0);
            for (Principal maker :
                    List.of(integrator, People.scoped(integrator, "access.*", "tool.*"))) {
                assertDenied(() -> TokenLimits.requireWithin(wanted, maker, Optional.empty()));
            }
            for (Principal maker :
                    List.of(
                            People.person("op", "operator"),
                            People.scoped(integrator, scope, "run.*"))) {
                assertDoesNotThrow(
                        () -> TokenLimits.requireWithin(wanted, maker, Optional.empty()));
            }
            Principal limited = People.scoped(People.person("op", "operator"), "run.*");
            assertDenied(() -> TokenLimits.requireWithin(wanted, limited, Optional.empty()));
        }
    }

    @Test
    void aTokenCannotOutliveTheOneThatMakesIt() {
        Principal maker = People.person("op", "operator");
        Optional<TokenView> until =
                Optional.of(wanted("user:op", Set.of("operator"), Set.of(), 500));
        assertDenied(() -> TokenLimits.requireWithin(forViewer(0), maker, until));
        assertDenied(() -> TokenLimits.requireWithin(forViewer(501), maker, until));
        assertDoesNotThrow(() -> TokenLimits.requireWithin(forViewer(500), maker, until));
    }

    private static TokenView forViewer(long expires) {
        return wanted("user:vic", Set.of("viewer"), Set.of(), expires);
    }

    private static void assertDenied(Runnable action) {
        assertEquals(ErrorCode.DENIED, assertThrows(PalyraException.class, action::run).code());
    }

    @Test
    void refusesPartsThatMakeNoUsableToken() {
        Set<String> viewer = Set.of("viewer");
        for (String principal :
                List.of(
                        "",
                        "alice",
                        "user:",
                        "system:gateway",
                        "local-peer:0",
                        "mapped-peer:1",
                        "user:a b",
                        "user:" + "x".repeat(128),
                        "group:x",
                        "User:a")) {
            assertRefused(() -> TokenLimits.requireUsable("", principal, viewer, Set.of(), 0));
        }
        assertRefused(() -> TokenLimits.requireUsable("", "user:a", Set.of(), Set.of(), 0));
        assertRefused(() -> TokenLimits.requireUsable("", "user:a", Set.of("root"), Set.of(), 0));
        assertRefused(() -> TokenLimits.requireUsable("", "user:a", viewer, Set.of("fly"), 0));
        assertRefused(() -> TokenLimits.requireUsable("", "user:a", viewer, Set.of(), -1));
        assertRefused(() -> TokenLimits.requireUsable("", "user:a", viewer, Set.of(), 999));
        assertRefused(
                () -> TokenLimits.requireUsable("", "user:a", viewer, Set.of(), Long.MAX_VALUE));
        assertRefused(() -> TokenLimits.requireUsable("a\nb", "user:a", viewer, Set.of(), 0));
        assertDoesNotThrow(
                () ->
                        TokenLimits.requireUsable(
                                "laptop", "service:ci", viewer, Set.of("run.*"), 60_000));
    }

    private static void assertRefused(Runnable action) {
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                assertThrows(PalyraException.class, action::run).code());
    }
}
