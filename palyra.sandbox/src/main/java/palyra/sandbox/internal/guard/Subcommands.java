package palyra.sandbox.internal.guard;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Programs that have sub-commands, with those of their options before it that take the next
 * argument as their value.
 */
final class Subcommands {
    private static final Map<String, Set<String>> VALUED = new HashMap<>();

    static {
        put(
                "git",
                "-C -c --git-dir --work-tree --namespace --super-prefix --config-env",
                "--attr-source");
        put(
                "npm yarn pnpm npx bun",
                "--prefix -C --cwd --dir -w --workspace -F --filter",
                "--registry --userconfig --loglevel");
        put(
                "docker podman nerdctl",
                "-H --host --context -c --config -l --log-level --tlscacert",
                "--tlscert --tlskey --connection --url --identity --root --runroot");
        put(
                "kubectl helm oc",
                "-n --namespace --context --kubeconfig -s --server --cluster",
                "--user --token --as --as-group -v --request-timeout --kube-context");
        put("cargo", "-C --config -Z --color", "");
        put("mvn mvnw mvnd", "-f --file -pl --projects -P -s --settings -gs -t -T -l -rf", "");
        put("gradle gradlew", "-p --project-dir -b -c -g -I --init-script", "");
        put("go", "-C", "");
        put("pip uv pipx", "--python --log --proxy --cache-dir --directory --project", "");
        put(
                "apt apt-get apt-cache dnf yum zypper apk pacman brew snap flatpak",
                "-o -c -t --target-release --config-file",
                "-a -q --setopt -r --root");
        put(
                "systemctl journalctl loginctl hostnamectl timedatectl",
                "-H --host -M --machine -t --type -p --property -n --lines -o --output -s",
                "--root");
        put("ip tc bridge", "-n -netns -f -family", "");
        put("dotnet", "--additionalprobingpath", "");
        put("terraform vagrant packer consul vault nomad", "", "");
        put("gh glab hub", "-R --repo", "");
        put("aws gcloud az", "--profile --region --output --endpoint-url --project", "--account");
        put("composer bundle gem rustup conda mamba poetry pdm nix guix", "-d --working-dir", "");
        put("openssl svn hg bzr fossil cvs", "-R --repository --cwd --config -d", "");
        put("make ninja just", "-C -f -j -I -o -W --file --directory", "");
    }

    private Subcommands() {}

    private static void put(String programs, String valued, String more) {
        Set<String> options = new HashSet<>(List.of((valued + " " + more).strip().split(" +")));
        for (String program : programs.split(" ", -1)) {
            VALUED.put(program, Set.copyOf(options));
        }
    }

    /**
     * Returns the first argument that is neither an option nor the value of one; empty for a
     * program without sub-commands, or when no argument is one.
     */
    static String of(Set<String> names, List<String> arguments) {
        Set<String> valued =
                names.stream()
                        .filter(VALUED::containsKey)
                        .findFirst()
                        .map(VALUED::get)
                        .orElse(null);
        if (valued == null) {
            return "";
        }
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (valued.contains(argument)) {
                i++;
            } else if (!argument.startsWith("-") && !argument.startsWith("+")) {
                return argument;
            }
        }
        return "";
    }
}
