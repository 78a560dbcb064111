package palyra.gateway.internal.settings;

import java.util.Map;
import java.util.function.Function;

/** A component that holds one setting for as long as its file is there. */
public abstract class Configured {
    private final String kind;
    private final String pid;
    private volatile Setting setting;

    /** Makes the setting; what cannot be used becomes one that says why. */
    Configured(String kind, Map<String, ?> properties, Function<String, Setting> make) {
        this.kind = kind;
        this.pid = String.valueOf(properties.get("service.pid"));
        this.setting = made(properties, make);
    }

    /** Replaces the setting in one step: there is no moment without it. */
    final void change(Map<String, ?> properties, Function<String, Setting> make) {
        setting = made(properties, make);
    }

    private Setting made(Map<String, ?> properties, Function<String, Setting> make) {
        String name = name(properties);
        try {
            return make.apply(name);
        } catch (RuntimeException e) {
            return new Setting.Broken(kind, name, String.valueOf(e.getMessage()));
        }
    }

    /** Returns what follows the tilde in the PID. */
    private static String name(Map<String, ?> properties) {
        String pid = String.valueOf(properties.get("service.pid"));
        return pid.substring(pid.indexOf('~') + 1);
    }

    /** Returns the PID of the file's instance. */
    final String pid() {
        return pid;
    }

    /** Returns the setting. */
    public Setting setting() {
        return setting;
    }
}
