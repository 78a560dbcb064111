package palyra.bench.channels;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.Sender;
import palyra.api.run.WhileRunning;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;
import palyra.channels.internal.route.RouteDecision;
import palyra.channels.internal.route.RouteRule;
import palyra.channels.internal.route.Router;

/**
 * One decision about a message, by 10 and by 1,000 rules of which the last one fits: from the
 * message to session, agent and principal. Beside it a look into a hash map by connector and
 * conversation, which is what no router can do without.
 */
public final class RouteSuite implements Suite {
    private static final int[] RULES = {10, 1_000};
    private static final long ROUND_NANOS = 500_000_000;
    private static final int BATCH = 1_000;
    private static final String PEER = "a look into a hash map";

    @Override
    public String name() {
        return "channels.route";
    }

    @Override
    public void run(Setting setting, Report report) {
        for (int count : RULES) {
            measure(count, setting.runs(), report);
        }
    }

    private static void measure(int count, int runs, Report report) {
        Router router = router(count);
        Map<String, String> sessions = sessions(count);
        ConnectorId connector = connector(count - 1);
        Sender sender = new Sender("4001", "Anna", false, true);
        InboundMessage message =
                InboundMessage.written(
                        "4001/17", sender, new Conversation("-500", "", false, ""), "hi", true, 0);
        BooleanSupplier ours =
                () ->
                        router.decide(connector, message, unused -> true)
                                instanceof RouteDecision.Routed;
        BooleanSupplier peer =
                () ->
                        sessions.containsKey(
                                connector.toString() + "/" + message.conversation().id());
        round(ours);
        round(peer);
        List<Double> own = new ArrayList<>();
        List<Double> other = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            own.add(round(ours));
            other.add(round(peer));
        }
        report.add(
                new Figure(
                        "channels.route-" + count,
                        new Measure("ns", own),
                        PEER,
                        new Measure("ns", other),
                        new Goal.None()));
    }

    private static ConnectorId connector(int number) {
        return new ConnectorId("telegram", "bot" + number);
    }

    private static Router router(int count) {
        List<RouteRule> rules = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rules.add(
                    new RouteRule(
                            String.format("rule%04d", i),
                            0,
                            List.of(connector(i).toString()),
                            Set.of(),
                            true,
                            List.of("helper"),
                            Set.of(),
                            Set.of("666"),
                            RouteRule.DirectMessages.PAIRING,
                            RouteRule.Broadcast.DENY,
                            false,
                            false,
                            "",
                            "",
                            false,
                            WhileRunning.QUEUE,
                            0,
                            false,
                            true,
                            false,
                            false,
                            false));
        }
        return new Router(rules);
    }

    private static Map<String, String> sessions(int count) {
        Map<String, String> sessions = new HashMap<>();
        for (int i = 0; i < count; i++) {
            sessions.put(connector(i) + "/-500", "session" + i);
        }
        return sessions;
    }

    /** Returns nanoseconds for one; a decision that does not route is no measurement. */
    private static double round(BooleanSupplier decision) {
        long begun = System.nanoTime();
        long made = 0;
        while (System.nanoTime() - begun < ROUND_NANOS) {
            for (int i = 0; i < BATCH; i++) {
                if (!decision.getAsBoolean()) {
                    throw new IllegalStateException("the message was not routed");
                }
            }
            made += BATCH;
        }
        return (System.nanoTime() - begun) / (double) made;
    }
}
