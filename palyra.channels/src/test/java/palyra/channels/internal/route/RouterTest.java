package palyra.channels.internal.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.Sender;

final class RouterTest {
    private static final ConnectorId ID = ConnectorId.parse("fake:main");
    private static final Conversation ROOM = Conversation.group("room", "Room");

    private static RouteRule rule(String name, int priority, String... connectors) {
        return TestRules.rule(
                name,
                Map.of(
                        "priority",
                        priority,
                        "connectors",
                        connectors,
                        "mentionPatterns",
                        new String[] {"helper"},
                        "denyFrom",
                        new String[] {"bad"},
                        "directMessages",
                        "pairing",
                        "broadcast",
                        "mention_only"));
    }

    private static RouteRule with(
            RouteRule rule,
            Set<String> allow,
            RouteRule.DirectMessages direct,
            RouteRule.Broadcast broadcast,
            boolean isolate,
            List<String> patterns) {
        return TestRules.rule(
                rule.name(),
                Map.of(
                        "priority",
                        rule.priority(),
                        "connectors",
                        rule.connectors().toArray(String[]::new),
                        "conversations",
                        rule.conversations().toArray(String[]::new),
                        "mentionPatterns",
                        patterns.toArray(String[]::new),
                        "allowFrom",
                        allow.toArray(String[]::new),
                        "denyFrom",
                        rule.denyFrom().toArray(String[]::new),
                        "directMessages",
                        direct.name(),
                        "broadcast",
                        broadcast.name(),
                        "isolateSenders",
                        isolate));
    }

    private static InboundMessage message(
            String sender, Conversation where, String text, boolean mention) {
        return InboundMessage.written(
                "1",
                new Sender(sender, "Name", sender.equals("bot"), true),
                where,
                text,
                mention,
                0);
    }

    private static String outcome(RouteRule rule, InboundMessage message) {
        RouteDecision decision =
                new Router(List.of(rule))
                        .decide(ID, message, sender -> sender.id().equals("friend"));
        return switch (decision) {
            case RouteDecision.Ignored ignored -> ignored.reason();
            case RouteDecision.NeedsPairing pairing -> "pairing";
            case RouteDecision.Routed routed -> routed.sessionKey() + " as " + routed.principal();
        };
    }

    @Test
    void whatNoRuleNamesIsIgnored() {
        assertEquals(
                "channel_disabled",
                outcome(
                        rule("r", 0, "fake:other", "other:*"),
                        message("a", ROOM, "helper", false)));
        assertEquals(
                "channel:fake:main:conversation:room as service:fake:main:in:room",
                outcome(rule("r", 0, "fake:*"), message("a", ROOM, "helper?", false)));
    }

    @Test
    void senderIsCheckedBeforeAnythingElse() {
        RouteRule rule = rule("r", 0, "*");
        assertEquals("sender_denied", outcome(rule, message("bad", ROOM, "helper", true)));
        assertEquals("sender_is_bot", outcome(rule, message("bot", ROOM, "helper", true)));
        RouteRule listed =
                with(
                        rule,
                        Set.of("ann"),
                        RouteRule.DirectMessages.ALLOW,
                        RouteRule.Broadcast.DENY,
                        false,
                        List.of("*"));
        assertEquals("sender_not_allowlisted", outcome(listed, message("bob", ROOM, "x", false)));
        InboundMessage forged =
                InboundMessage.written(
                        "1", new Sender("ann", "", false, false), ROOM, "x", false, 0);
        assertEquals("sender_unverified_for_allowlist", outcome(listed, forged));
        assertEquals(
                "channel:fake:main:conversation:room as service:fake:main:in:room",
                outcome(listed, message("ann", ROOM, "x", false)));
    }

    @Test
    void directMessagesFollowTheirPolicy() {
        Conversation direct = Conversation.direct("dm1");
        RouteRule rule = rule("r", 0, "*");
        assertEquals("pairing", outcome(rule, message("ann", direct, "hi", false)));
        assertEquals(
                "channel:fake:main:conversation:dm1 as user:fake:main:friend",
                outcome(rule, message("friend", direct, "hi", false)));
        RouteRule deny =
                with(
                        rule,
                        Set.of(),
                        RouteRule.DirectMessages.DENY,
                        RouteRule.Broadcast.DENY,
                        false,
                        List.of());
        assertEquals(
                "direct_message_denied_by_policy",
                outcome(deny, message("ann", direct, "hi", true)));
        InboundMessage unverified =
                InboundMessage.written(
                        "1", new Sender("friend", "", false, false), direct, "x", false, 0);
        assertEquals("sender_unverified_for_dm_pairing", outcome(rule, unverified));
    }

    @Test
    void groupsAreAnsweredWhenTheyMentionTheAgent() {
        RouteRule rule = rule("r", 0, "*");
        assertEquals(
                "no_matching_mention_or_dm_policy", outcome(rule, message("a", ROOM, "hi", false)));
        assertEquals(
                "no_matching_mention_or_dm_policy",
                outcome(rule, message("a", ROOM, "helpers helperx xhelper helper_", false)));
        for (String text : List.of("helper", "HELPER!", "hey (Helper), go", "x\nhelper\ny")) {
            assertEquals(
                    "channel:fake:main:conversation:room as service:fake:main:in:room",
                    outcome(rule, message("a", ROOM, text, false)),
                    text);
        }
        assertEquals(
                "broadcast_requires_mention_match",
                outcome(rule, message("a", ROOM, "@everyone hi", false)));
        assertEquals(
                "channel:fake:main:conversation:room as service:fake:main:in:room",
                outcome(rule, message("a", ROOM, "@everyone ask the helper", false)));
        RouteRule deny =
                with(
                        rule,
                        Set.of(),
                        RouteRule.DirectMessages.DENY,
                        RouteRule.Broadcast.DENY,
                        true,
                        List.of("everyone"));
        assertEquals(
                "broadcast_denied_by_policy", outcome(deny, message("a", ROOM, "@here all", true)));
        RouteRule all =
                with(
                        rule,
                        Set.of(),
                        RouteRule.DirectMessages.DENY,
                        RouteRule.Broadcast.ALLOW,
                        true,
                        List.of());
        assertEquals(
                "channel:fake:main:conversation:room:thread:t1:sender:a as user:fake:main:a",
                outcome(
                        all,
                        message("a", new Conversation("room", "t1", false, ""), "@all hi", false)));
    }

    @Test
    void everyoneIsNoMentionOfAPatternThatDoesNotNameIt() {
        RouteRule rule =
                with(
                        rule("r", 0, "*"),
                        Set.of(),
                        RouteRule.DirectMessages.DENY,
                        RouteRule.Broadcast.MENTION_ONLY,
                        false,
                        List.of("everyone"));
        assertEquals(
                "broadcast_requires_mention_match",
                outcome(rule, message("a", ROOM, "@everyone hi", false)));
    }

    @Test
    void highestPriorityCountsThenTheName() {
        RouteRule low = rule("a", 0, "*");
        RouteRule high = rule("z", 5, "fake:main");
        Router router = new Router(List.of(low, high, rule("b", 0, "*")));
        InboundMessage message = message("a", ROOM, "helper", false);
        assertEquals("z", router.rule(ID, message).orElseThrow().name());
        assertEquals("a", router.rule(ConnectorId.parse("fake:two"), message).orElseThrow().name());
        RouteDecision.Routed routed =
                assertInstanceOf(
                        RouteDecision.Routed.class, router.decide(ID, message, sender -> false));
        assertEquals("z", routed.rule().name());
    }

    @Test
    void longOrOddIdsAreToldByTheirDigest() {
        String id = "room name/with-odd".replace(' ', '+').repeat(7);
        String principal = SenderNames.conversation(ID, Conversation.group(id, ""));
        assertEquals("service:fake:main:in:sha256-".length() + 32, principal.length());
    }

    @Test
    void unusableRulesAreRefused() {
        assertThrows(PalyraException.class, () -> rule("r", 0, "Bad Name"));
        assertThrows(
                PalyraException.class,
                () ->
                        with(
                                rule("r", 0, "*"),
                                Set.of(),
                                RouteRule.DirectMessages.DENY,
                                RouteRule.Broadcast.DENY,
                                false,
                                List.of("x".repeat(129))));
    }

    private static RouteRule limited(String name, String connectors, int concurrency) {
        return TestRules.rule(
                name,
                Map.of(
                        "connectors",
                        new String[] {connectors},
                        "mentionPatterns",
                        new String[] {"helper"},
                        "directMessages",
                        "pairing",
                        "broadcast",
                        "mention_only",
                        "whileRunning",
                        "steer",
                        "concurrency",
                        concurrency));
    }

    @Test
    void ofSeveralLimitsTheLowestCounts() {
        Router router =
                new Router(
                        List.of(
                                limited("a", "fake:*", 4),
                                limited("b", "fake:main", 2),
                                limited("c", "other:main", 0),
                                limited("d", "*", 9),
                                limited("e", "fake:main", 3)));
        assertEquals(Map.of("fake:*", 4, "fake:main", 2, "*:*", 9), router.limits());
    }

    @Test
    void aMessageToEveryoneNeedNotSayItInItsText() {
        Router router = new Router(List.of(rule("r", 0, "*")));
        InboundMessage message = message("ann", ROOM, "lunch", false);
        RouteDecision decision = router.decide(ID, message, true, sender -> false);
        assertEquals(
                "broadcast_requires_mention_match",
                assertInstanceOf(RouteDecision.Ignored.class, decision).reason());
        assertInstanceOf(
                RouteDecision.Routed.class,
                router.decide(
                        ID, message("ann", ROOM, "helper, lunch", false), true, sender -> false));
    }

    @Test
    void aDirectMessageToEveryoneNeedsTheRuleForBoth() {
        Conversation direct = Conversation.direct("dm");
        for (RouteRule.Broadcast broadcast :
                List.of(RouteRule.Broadcast.DENY, RouteRule.Broadcast.ALLOW)) {
            RouteRule rule =
                    with(
                            rule("r", 0, "*"),
                            Set.of(),
                            RouteRule.DirectMessages.ALLOW,
                            broadcast,
                            false,
                            List.of());
            Router router = new Router(List.of(rule));
            boolean denied =
                    router.decide(ID, message("ann", direct, "lunch", false), true, sender -> false)
                                    instanceof RouteDecision.Ignored ignored
                            && ignored.reason().equals("broadcast_denied_by_policy");
            assertEquals(broadcast == RouteRule.Broadcast.DENY, denied);
            assertInstanceOf(
                    RouteDecision.Routed.class,
                    router.decide(ID, message("ann", direct, "@everyone", false), sender -> false));
        }
    }

    @Test
    void placesWithColonsInTheirNamesHaveSessionsOfTheirOwn() {
        Router router = new Router(List.of(rule("r", 0, "*")));
        Conversation threaded = new Conversation("a", "b", false, "");
        Conversation named = new Conversation("a:thread:b", "", false, "");
        assertNotEquals(session(router, threaded), session(router, named));
    }

    private static String session(Router router, Conversation where) {
        return assertInstanceOf(
                        RouteDecision.Routed.class,
                        router.decide(ID, message("ann", where, "helper", true), sender -> true))
                .sessionKey();
    }

    private static InboundMessage told(String text, InboundMessage.Broadcast broadcast) {
        return new InboundMessage(
                InboundMessage.Event.WRITTEN,
                "m1",
                "",
                new Sender("ann", "", false, true),
                ROOM,
                "",
                text,
                true,
                Set.of(),
                List.of(),
                1,
                broadcast);
    }

    /** Who may not notify everyone can type the words all the same. */
    @Test
    void whetherAMessageIsToEveryoneIsForThePlatformToSay() {
        RouteRule deny =
                with(
                        rule("r", 0, "*"),
                        Set.of(),
                        RouteRule.DirectMessages.DENY,
                        RouteRule.Broadcast.DENY,
                        true,
                        List.of());
        String routed = "channel:fake:main:conversation:room:sender:ann as user:fake:main:ann";
        String text = "@everyone says so";
        assertEquals(routed, outcome(deny, told(text, InboundMessage.Broadcast.NO)));
        for (String said : List.of(text, "lunch")) {
            assertEquals(
                    "broadcast_denied_by_policy",
                    outcome(deny, told(said, InboundMessage.Broadcast.YES)));
        }
        assertEquals(
                "broadcast_denied_by_policy",
                outcome(deny, told(text, InboundMessage.Broadcast.BY_TEXT)));
        assertEquals(routed, outcome(deny, told("lunch", InboundMessage.Broadcast.BY_TEXT)));
    }
}
