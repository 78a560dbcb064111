package palyra.console.internal.session;

import java.util.LinkedHashMap;
import java.util.Map;

/** Names a browser in a few words from what it says of itself. */
final class Browsers {
    private static final Map<String, String> PROGRAMS = new LinkedHashMap<>();
    private static final Map<String, String> SYSTEMS = new LinkedHashMap<>();

    static {
        PROGRAMS.put("Edg", "Edge");
        PROGRAMS.put("OPR/", "Opera");
        PROGRAMS.put("Firefox/", "Firefox");
        PROGRAMS.put("FxiOS", "Firefox");
        PROGRAMS.put("Chrome/", "Chrome");
        PROGRAMS.put("CriOS", "Chrome");
        PROGRAMS.put("Safari/", "Safari");
        PROGRAMS.put("curl/", "curl");
        SYSTEMS.put("iPhone", "iPhone");
        SYSTEMS.put("iPad", "iPad");
        SYSTEMS.put("Android", "Android");
        SYSTEMS.put("Windows", "Windows");
        SYSTEMS.put("Mac OS X", "macOS");
        SYSTEMS.put("CrOS", "ChromeOS");
        SYSTEMS.put("Linux", "Linux");
    }

    private Browsers() {}

    static String name(String agent) {
        String program = first(PROGRAMS, agent, "Another browser");
        String system = first(SYSTEMS, agent, "");
        return system.isEmpty() ? program : program + " on " + system;
    }

    private static String first(Map<String, String> names, String agent, String otherwise) {
        return names.entrySet().stream()
                .filter(entry -> agent.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(otherwise);
    }
}
