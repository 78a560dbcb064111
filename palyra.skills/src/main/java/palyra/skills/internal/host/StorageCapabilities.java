package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.skills.internal.host.SkillStorage.Kept;
import palyra.skills.internal.host.SkillStorage.Page;
import palyra.skills.internal.host.SkillStorage.StoredLedger;
import palyra.skills.internal.model.SkillGrants.StorageGrant;

/**
 * The storage functions, within the prefixes of the manifest. A prefix ends at a slash: {@code
 * notes} covers {@code notes/a}, never {@code notes2/a}. Of several that cover a key the longest
 * counts.
 */
final class StorageCapabilities {
    private static final int MOST_KEY = 256;
    private static final int MOST_PAGE = 1_000;
    private static final String KEY = "[A-Za-z0-9_.@-]+(/[A-Za-z0-9_.@-]+)*/?";

    private final HostCall call;
    private final SkillStorage storage;

    StorageCapabilities(HostCall call, SkillStorage storage) {
        this.call = call;
        this.storage = storage;
    }

    private String skill() {
        return call.scope().skill().skill();
    }

    ObjectNode get(RequestFields fields) {
        fields.requireOnly(Set.of("key"));
        String key = key(fields.text("key", MOST_KEY));
        granted(key, false);
        StoredLedger stored =
                storage.get(skill(), key)
                        .orElseThrow(
                                () ->
                                        HostError.of(
                                                HostError.NOT_FOUND,
                                                "No value under the key " + key + "."));
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        RequestFields.put(answer, "value", stored.value());
        return answer.put("version", stored.version());
    }

    ObjectNode put(RequestFields fields) {
        fields.requireOnly(Set.of("key", "value", "value_base64", "if_version"));
        String key = key(fields.text("key", MOST_KEY));
        StorageGrant grant = granted(key, true);
        byte[] value =
                fields.bytes("value", SkillStorage.MOST_VALUE)
                        .orElseThrow(
                                () ->
                                        HostError.of(
                                                HostError.INVALID,
                                                "The request needs 'value' or 'value_base64'."));
        long expected = fields.number("if_version", SkillStorage.ANY, 0, Long.MAX_VALUE);
        call.beginEffect();
        long version = storage.put(skill(), key, value, expected, base(grant), grant.maxBytes());
        return JsonNodeFactory.instance.objectNode().put("version", version);
    }

    ObjectNode delete(RequestFields fields) {
        fields.requireOnly(Set.of("key"));
        String key = key(fields.text("key", MOST_KEY));
        granted(key, true);
        call.beginEffect();
        return JsonNodeFactory.instance.objectNode().put("deleted", storage.delete(skill(), key));
    }

    ObjectNode list(RequestFields fields) {
        fields.requireOnly(Set.of("prefix", "after", "limit"));
        String given = key(fields.text("prefix", MOST_KEY));
        boolean whole =
                call.scope().grants().storage().stream()
                        .anyMatch(each -> base(each).equals(given + "/"));
        String prefix = whole ? given + "/" : given;
        granted(prefix, false);
        String after = fields.optionalText("after", MOST_KEY).orElse("");
        int limit = (int) fields.number("limit", 100, 1, MOST_PAGE);
        Page page = storage.list(skill(), prefix, after, limit);
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode keys = answer.putArray("keys");
        for (Kept each : page.keys()) {
            keys.addObject()
                    .put("key", each.key())
                    .put("bytes", each.bytes())
                    .put("version", each.version());
        }
        return answer.put("more", page.more());
    }

    private static String key(String text) {
        boolean usable = text.matches(KEY);
        for (String part : text.split("/", -1)) {
            usable &= !part.equals(".") && !part.equals("..");
        }
        if (!usable) {
            throw HostError.of(
                    HostError.INVALID,
                    "A key has parts of letters, digits and . _ @ - divided by single slashes, and"
                            + " none of them is . or ..");
        }
        return text;
    }

    private StorageGrant granted(String key, boolean write) {
        List<StorageGrant> covering =
                call.scope().grants().storage().stream().filter(each -> covers(each, key)).toList();
        Optional<StorageGrant> best =
                covering.stream().max(Comparator.comparing(each -> base(each).length()));
        if (best.isEmpty()) {
            throw HostError.denied(
                    "No storage prefix of the manifest covers the key " + key + ".",
                    "capabilities.storage: a prefix that covers " + key);
        }
        if (write && !best.get().write()) {
            throw HostError.denied(
                    "The manifest allows reading under " + best.get().prefix() + ", not writing.",
                    "capabilities.storage: " + best.get().prefix() + " with write = true");
        }
        return best.get();
    }

    private static boolean covers(StorageGrant grant, String key) {
        return key.startsWith(base(grant));
    }

    private static String base(StorageGrant grant) {
        String prefix = grant.prefix();
        return prefix.endsWith("/") ? prefix : prefix + "/";
    }
}
