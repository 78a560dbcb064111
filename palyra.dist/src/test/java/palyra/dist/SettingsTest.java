package palyra.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The operator guide lists every setting of what ships, and no other. */
class SettingsTest {
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    /** The example tool does not ship; the guide has its settings all the same. */
    private static final String EXAMPLE = "palyra.examples.append";

    private record Section(Set<String> pids, Set<String> keys) {}

    @Test
    void theGuideListsEverySettingAndNoOther() throws Exception {
        Map<String, Set<String>> declared = declared();
        assertFalse(declared.isEmpty());
        Map<String, Set<String>> missing = new TreeMap<>(declared);
        for (Section section : sections()) {
            Set<String> unknown = new TreeSet<>(section.keys());
            for (String pid : section.pids()) {
                Set<String> keys = declared.getOrDefault(pid, Set.of());
                unknown.removeAll(keys);
                missing.put(pid, without(keys, section.keys()));
            }
            if (!section.pids().contains(EXAMPLE)) {
                assertEquals(Set.of(), unknown, "no setting of " + section.pids());
            }
        }
        missing.values().removeIf(Set::isEmpty);
        assertEquals(Map.of(), missing, "not in \"Every setting\" of the operator guide");
    }

    private static Set<String> without(Set<String> keys, Set<String> others) {
        Set<String> left = new TreeSet<>(keys);
        left.removeAll(others);
        return left;
    }

    /** Each section of the chapter: PIDs in its heading, keys in the first column of its table. */
    private static List<Section> sections() throws Exception {
        String guide = Files.readString(Product.root().resolve("docs/operator-guide.md"));
        String chapter = guide.substring(guide.indexOf("\n## Every setting\n") + 1);
        List<Section> sections = new ArrayList<>();
        for (String part : chapter.substring(0, chapter.indexOf("\n## ")).split("\n### ")) {
            List<String> lines = part.lines().toList();
            Set<String> keys = new TreeSet<>();
            lines.stream()
                    .filter(line -> line.startsWith("| `"))
                    .forEach(line -> keys.addAll(quoted(line.split("\\|")[1])));
            Set<String> pids = new TreeSet<>();
            quoted(lines.get(0)).forEach(pid -> pids.add(pid.replaceAll("~.*", "")));
            sections.add(new Section(pids, keys));
        }
        return sections;
    }

    private static Set<String> quoted(String text) {
        Set<String> found = new TreeSet<>();
        for (Matcher one = QUOTED.matcher(text); one.find(); ) {
            found.add(one.group(1));
        }
        return found;
    }

    /** Returns the keys by PID that the metatype documents of our bundles declare. */
    private static Map<String, Set<String>> declared() throws Exception {
        Map<String, Set<String>> declared = new TreeMap<>();
        for (Path jar : Product.bundles()) {
            if (!jar.getParent().getFileName().toString().equals("5")) {
                continue;
            }
            try (ZipFile zip = new ZipFile(jar.toFile())) {
                List<? extends ZipEntry> entries =
                        zip.stream()
                                .filter(e -> e.getName().matches("OSGI-INF/metatype/.*[.]xml"))
                                .toList();
                for (ZipEntry entry : entries) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        read(in, declared);
                    }
                }
            }
        }
        return declared;
    }

    private static void read(InputStream in, Map<String, Set<String>> declared) throws Exception {
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
        Map<String, Set<String>> classes = new TreeMap<>();
        for (Element ocd : elements(document.getElementsByTagName("OCD"))) {
            Set<String> keys = new TreeSet<>();
            elements(ocd.getElementsByTagName("AD")).forEach(ad -> keys.add(ad.getAttribute("id")));
            classes.put(ocd.getAttribute("id"), keys);
        }
        for (Element one : elements(document.getElementsByTagName("Designate"))) {
            String factory = one.getAttribute("factoryPid");
            Element object = elements(one.getElementsByTagName("Object")).get(0);
            declared.put(
                    factory.isEmpty() ? one.getAttribute("pid") : factory,
                    classes.get(object.getAttribute("ocdref")));
        }
    }

    private static List<Element> elements(NodeList nodes) {
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }
}
