package palyra.lib.cedar.internal.engine;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The official JSON of policies that were converted before, by their text, which alone determines
 * it; the ones used last are kept. Used on the {@link NativeThread} only.
 */
final class KnownPolicies {
    private static final int MOST = 20_000;
    private static final long MOST_CHARS = 16L << 20;

    private final Map<String, Map<String, Object>> byText =
            new LinkedHashMap<>(64, 0.75f, true); // by use
    private long chars;

    /** Returns the JSON of a policy, which nobody may change; null when it is not known. */
    Map<String, Object> find(String text) {
        return byText.get(text);
    }

    void keep(String text, Map<String, Object> json) {
        if (byText.put(text, json) == null) {
            chars += text.length();
        }
        var oldest = byText.entrySet().iterator();
        while ((byText.size() > MOST || chars > MOST_CHARS) && oldest.hasNext()) {
            chars -= oldest.next().getKey().length();
            oldest.remove();
        }
    }
}
