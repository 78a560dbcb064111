package palyra.policy.internal.cedar;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.json.JavaValues;
import palyra.policy.internal.cedar.value.EntityUid;

/** Prints how long a decision takes with entities that are already there. Not a test. */
public final class DecisionTimes {
    private static final int ROUNDS = 400_000;

    private DecisionTimes() {}

    public static void main(String[] arguments) {
        for (int policies : new int[] {10, 100, 1000}) {
            measure(policies);
        }
    }

    private static void measure(int count) {
        Random random = new Random(1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(policy(i, random)).append('\n');
        }
        Evaluator evaluator = new Evaluator(Policies.compile(text.toString()));
        List<Request> requests = requests(random);
        long[] nanos = new long[ROUNDS];
        int allowed = 0;
        for (int i = 0; i < ROUNDS; i++) {
            Request request = requests.get(i % requests.size());
            long start = System.nanoTime();
            Decision decision = evaluator.decide(request);
            nanos[i] = System.nanoTime() - start;
            allowed += decision.allowed() ? 1 : 0;
        }
        long[] warm = Arrays.copyOfRange(nanos, ROUNDS / 2, ROUNDS);
        Arrays.sort(warm);
        System.out.printf(
                "%d policies: median %.2f µs, p99 %.2f µs (%d of %d allowed)%n",
                count,
                warm[warm.length / 2] / 1000.0,
                warm[warm.length * 99 / 100] / 1000.0,
                allowed,
                ROUNDS);
    }

    private static String policy(int i, Random random) {
        String group = "Group::\"g" + random.nextInt(20) + "\"";
        String action = "Action::\"a" + random.nextInt(10) + "\"";
        return switch (i % 7) {
            case 0 -> "permit(principal in %s, action == %s, resource);".formatted(group, action);
            case 1 -> "permit(principal == User::\"u%d\", action, resource);".formatted(i);
            case 2 ->
                    "permit(principal, action == %s, resource) when { resource.owner == principal };"
                            .formatted(action);
            case 3 ->
                    "forbid(principal, action == %s, resource) unless { context.mfa };"
                            .formatted(action);
            case 4 ->
                    "permit(principal, action in [%s], resource in Folder::\"f%d\") when { context.n < 5 };"
                            .formatted(action, i % 30);
            case 5 ->
                    "forbid(principal in %s, action, resource) when { context.ip.isInRange(ip(\"10.0.0.0/8\")) };"
                            .formatted(group);
            default ->
                    "permit(principal is User, action == %s, resource is Doc) when { principal.level > 3 && resource.name like \"a*\" };"
                            .formatted(action);
        };
    }

    private static List<Request> requests(Random random) {
        List<Entity> entities = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            EntityUid user = EntityUid.of("User", "u" + i);
            entities.add(
                    Entity.of(
                            user,
                            JavaValues.record(Map.of("level", i % 6)),
                            JavaValues.record(Map.of()),
                            List.of(EntityUid.of("Group", "g" + random.nextInt(20)))));
            entities.add(
                    Entity.of(
                            EntityUid.of("Doc", "d" + i),
                            JavaValues.record(Map.of("owner", user, "name", "abc" + i)),
                            JavaValues.record(Map.of()),
                            List.of(EntityUid.of("Folder", "f" + random.nextInt(30)))));
        }
        Entities store = Entities.of(entities);
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            requests.add(
                    new Request(
                            EntityUid.of("User", "u" + random.nextInt(25)),
                            EntityUid.of("Action", "a" + random.nextInt(10)),
                            EntityUid.of("Doc", "d" + random.nextInt(25)),
                            JavaValues.record(
                                    Map.of(
                                            "mfa", random.nextInt(4) > 0,
                                            "n", random.nextInt(10),
                                            "ip",
                                                    palyra.policy.internal.cedar.value.IpValue
                                                            .parse("192.168.0." + i))),
                            store));
        }
        return requests;
    }
}
