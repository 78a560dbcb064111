package palyra.lib.cedar.internal.engine;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The official JSON of policies that were converted before, by their text, which alone determines
 * it; the ones used last are kept, as text, which takes a tenth of the room of a tree. Used on the
 * {@link NativeThread} for candidates only.
 */
final class KnownPolicies {
    /** Characters of policies and JSON together: about as many bytes. */
    static final long MOST_CHARS = 6L << 20;

    private final Map<String, String> byText = new LinkedHashMap<>(64, 0.75f, true); // by use
    private long chars;

    /** Returns the JSON of a policy; null when it is not known. */
    String find(String text) {
        return byText.get(text);
    }

    void keep(String text, String json) {
        if (byText.put(text, json) == null) {
            chars += text.length() + json.length();
        }
        var oldest = byText.entrySet().iterator();
        while (chars > MOST_CHARS && oldest.hasNext()) {
            Map.Entry<String, String> gone = oldest.next();
            chars -= gone.getKey().length() + gone.getValue().length();
            oldest.remove();
        }
    }

    /** Returns how much is kept, in characters. */
    long chars() {
        return chars;
    }
}
