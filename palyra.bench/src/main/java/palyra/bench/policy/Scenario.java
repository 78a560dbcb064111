package palyra.bench.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Policies of seven shapes, entities and requests, the same for every engine. All texts are in
 * Cedar's own forms; an action has no groups, so that no engine needs a schema.
 *
 * @param policies how many there are
 * @param entities how many there are, half of them principals
 * @param text the policies
 * @param entitiesJson the entities
 */
record Scenario(int policies, int entities, String text, String entitiesJson, List<Ask> asks) {
    /** Requests that engines answer in turn. */
    static final int ASKS = 64;

    private static final int GROUPS = 20;
    private static final int FOLDERS = 30;
    private static final int ACTIONS = 10;
    private static final long SEED = 20_261_122;

    Scenario {
        asks = List.copyOf(asks);
    }

    /** One request; each part but the context is written {@code User::"u1"}. */
    record Ask(Name principal, Name action, Name resource, String contextJson) {}

    /** Names an entity. */
    record Name(String type, String id) {
        /** Returns it as policies write it. */
        String cedar() {
            return type + "::\"" + id + "\"";
        }

        /** Returns it as a JSON object. */
        String json() {
            return "{\"type\":\"" + type + "\",\"id\":\"" + id + "\"}";
        }
    }

    /** Makes one; equal numbers make equal scenarios. */
    static Scenario of(int policies, int entities) {
        Random random = new Random(SEED + policies);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < policies; i++) {
            text.append(policy(i, random)).append('\n');
        }
        List<Ask> asks = new ArrayList<>();
        int users = users(entities);
        int documents = entities - users;
        for (int i = 0; i < ASKS; i++) {
            asks.add(
                    new Ask(
                            new Name("User", "u" + random.nextInt(users)),
                            new Name("Action", "a" + random.nextInt(ACTIONS)),
                            new Name("Doc", "d" + random.nextInt(documents)),
                            context(random)));
        }
        return new Scenario(policies, entities, text.toString(), entities(entities, random), asks);
    }

    private static int users(int entities) {
        return (entities + 1) / 2;
    }

    private static String policy(int i, Random random) {
        String group = "Group::\"g" + random.nextInt(GROUPS) + "\"";
        String action = "Action::\"a" + random.nextInt(ACTIONS) + "\"";
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
                            .formatted(action, i % FOLDERS);
            case 5 ->
                    "forbid(principal in %s, action, resource) when { context.ip.isInRange(ip(\"10.0.0.0/8\")) };"
                            .formatted(group);
            default ->
                    "permit(principal is User, action == %s, resource is Doc) when { principal.level > 3 && resource.name like \"a*\" };"
                            .formatted(action);
        };
    }

    private static String context(Random random) {
        String ip = (random.nextInt(4) == 0 ? "10.0.0." : "192.168.0.") + random.nextInt(256);
        return "{\"mfa\":%b,\"n\":%d,\"ip\":{\"__extn\":{\"fn\":\"ip\",\"arg\":\"%s\"}}}"
                .formatted(random.nextInt(4) > 0, random.nextInt(10), ip);
    }

    private static String entities(int count, Random random) {
        List<String> entities = new ArrayList<>();
        int users = users(count);
        for (int i = 0; i < users; i++) {
            String attributes = "{\"level\":" + i % 6 + "}";
            Name group = new Name("Group", "g" + random.nextInt(GROUPS));
            entities.add(entity(new Name("User", "u" + i), attributes, group));
        }
        for (int i = 0; i < count - users; i++) {
            Name owner = new Name("User", "u" + i % users);
            String attributes =
                    "{\"owner\":{\"__entity\":%s},\"name\":\"%sbc%d\"}"
                            .formatted(owner.json(), i % 2 == 0 ? "a" : "b", i);
            Name folder = new Name("Folder", "f" + random.nextInt(FOLDERS));
            entities.add(entity(new Name("Doc", "d" + i), attributes, folder));
        }
        return "[" + String.join(",", entities) + "]";
    }

    private static String entity(Name name, String attributes, Name parent) {
        return "{\"uid\":%s,\"attrs\":%s,\"parents\":[%s]}"
                .formatted(name.json(), attributes, parent.json());
    }
}
