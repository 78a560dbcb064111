package palyra.itests.stories;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Test;
import org.osgi.framework.Bundle;

/** The state that is reached in every order of starting: everything that the bundles declare. */
public abstract class Shuffled {
    private static final Pattern NAME =
            Pattern.compile("<(?:scr:)?component\\s[^>]*?\\bname=\"([^\"]+)\"");

    @Test
    public void everyDeclaredComponentIsUpAndAMessageIsAnswered() throws Exception {
        House house = House.ready();
        Set<String> declared = new TreeSet<>();
        for (Bundle bundle : house.context().getBundles()) {
            if (bundle.getSymbolicName().startsWith("palyra.")) {
                boolean foreign = PlatformIT.Sandboxes.isForeign(bundle);
                assertEquals(
                        bundle.toString(),
                        foreign ? Bundle.INSTALLED : Bundle.ACTIVE,
                        bundle.getState());
                if (foreign) {
                    continue;
                }
                declare(bundle, declared);
            }
        }
        assertTrue(declared.toString(), declared.size() > 20);
        assertEquals(declared, house.up());
        assertEquals("", String.join("\n", house.notActive()));
        assertEquals("You said: any order\n", house.client().run("ask", "any order").ok().out());
        house.client().run("doctor").ok();
        house.client().run("tape", "verify", "--all").ok();
    }

    private static void declare(Bundle bundle, Set<String> declared) throws IOException {
        String header = bundle.getHeaders("").get("Service-Component");
        for (String path : header == null ? new String[0] : header.split(",", -1)) {
            try (InputStream xml = bundle.getEntry(path.trim()).openStream()) {
                String text = new String(xml.readAllBytes(), StandardCharsets.UTF_8);
                Matcher matcher = NAME.matcher(text);
                assertTrue(path, matcher.find());
                // one that needs a configuration is off until somebody writes it
                if (!text.contains("configuration-policy=\"require\"")) {
                    declared.add(matcher.group(1));
                }
            }
        }
    }
}
