package palyra.sandbox.internal.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The programs and sub-commands whose options are known so well that a person may allow calls like
 * one that was shown. Taken from the manual pages of GNU coreutils, diffutils, grep and file, of
 * ripgrep, git and npm. Left out on purpose: every option that names a file to write or a file with
 * names ({@code -o}, {@code --files0-from}, {@code -f}), that runs a program ({@code
 * --compress-program}, {@code --pre}, {@code -z} of rg and file, {@code --ext-diff}), that follows
 * links out of what is named, or that waits without end.
 *
 * <p>{@code git commit} is among them with any message: a message is data. What else a commit could
 * do, its hooks and the programs of its configuration, is looked for by {@link GitState}.
 */
final class CommandRows {
    /** Goes up when a row changes its meaning; grants of before then cover nothing more. */
    static final int VERSION = 1;

    private static final String PLAIN =
            """
            ls | - | pattern | files | -a -A -b -B -c -C -d -F -g -G -h -i -k -l -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1 --all --almost-all --author --escape --directory --human-readable --si --inode --reverse --recursive --size --group-directories-first --full-time --no-group --numeric-uid-gid | - | -I! -w --ignore! --hide! --sort --time --time-style --format --width | --color --classify
            cat | - | pattern | files | -A -b -e -E -n -s -t -T -v -u --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting | - | - | -
            head | - | pattern | files | -q -v -z --quiet --silent --verbose --zero-terminated | -n -c --lines --bytes | - | -
            tail | - | pattern | files | -q -v -z --quiet --silent --verbose --zero-terminated | -n -c --lines --bytes | - | -
            wc | - | pattern | files | -c -m -l -L -w --bytes --chars --lines --max-line-length --words | - | --total | -
            grep | - | pattern | text_then_files | -i -v -w -x -c! -l! -L! -n -H -h -o -q! -s -b -a -I! -r -E -F -G -P -z -Z -T --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count! --files-with-matches! --files-without-match! --line-number --with-filename --no-filename --only-matching --quiet! --silent! --no-messages --byte-offset --text --recursive --extended-regexp --fixed-strings --basic-regexp --perl-regexp --null-data --null --initial-tab --line-buffered | -e --regexp -A -B -C -m --after-context --before-context --context --max-count | --include! --exclude! --exclude-dir! --binary-files --label | --color --colour
            rg | - | pattern | text_then_files | -i -S -s -v -w -x -c! -l! -n -N -H -I -o -q! -F -P -U -0 -. -u --ignore-case --smart-case --case-sensitive --invert-match --word-regexp --line-regexp --count! --count-matches! --files-with-matches! --files-without-match! --line-number --no-line-number --with-filename --no-filename --only-matching --quiet! --fixed-strings --pcre2 --multiline --null --hidden --no-ignore --no-heading --heading --json --stats --trim --vimgrep --column --no-messages | -e --regexp -A -B -C -m -M --after-context --before-context --context --max-count --max-columns | -g! --glob! --iglob! -t! -T! --type! --type-not! -d! --max-depth! --sort --sortr --color | -
            stat | - | pattern | files | -t -f --terse --file-system | -c --format --printf | - | -
            du | - | pattern | files | -a -b -c -h -k -m -s -x! -S -l -0 --all --apparent-size --bytes --total --human-readable --si --summarize --one-file-system! --separate-dirs --count-links | -d --max-depth | -t --threshold -B --block-size --exclude! | --time
            df | - | pattern | files | -h -H -T -k -i -a -l -P --human-readable --si --print-type --inodes --all --local --portability --total | - | -B --block-size -t --type -x --exclude-type | -
            pwd | - | pattern | none | -L -P --logical --physical | - | - | -
            id | - | pattern | none | -u -g -G -n -r -z -a --user --group --groups --name --real --zero | - | - | -
            uname | - | pattern | none | -a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system | - | - | -
            date | - | pattern | format | -u -R --utc --universal --rfc-email | -d --date | --rfc-3339 | --iso-8601
            sort | - | pattern | files | -b -d -f -g -h -i -M -n -r -V -s -u -z -c -C -m --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --reverse --version-sort --stable --unique --zero-terminated --merge | - | -k --key -t --field-separator --sort | --check
            uniq | - | pattern | one_file | -c -d -D -i -u -z --count --repeated --ignore-case --unique --zero-terminated | -f -s -w --skip-fields --skip-chars --check-chars | - | --all-repeated --group
            cut | - | pattern | files | -s -n -z --complement --only-delimited --zero-terminated | -d -f -c -b --delimiter --fields --characters --bytes --output-delimiter | - | -
            tr | - | pattern | text | -c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1 | - | - | -
            diff | - | pattern | files | -a -b -B -E -i -N -p -q! -r -s -t -T -u -w -y -d --brief! --recursive --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --new-file --text --report-identical-files --minimal --side-by-side --expand-tabs --no-dereference! | -U -C -W --width | -x! --exclude! | --unified --context --color
            cmp | - | pattern | files | -b -l -s! --print-bytes --verbose --quiet! --silent! | -n -i --bytes --ignore-initial | - | -
            sha256sum | - | pattern | files | -b -t -z --binary --text --tag --zero | - | - | -
            sha512sum | - | pattern | files | -b -t -z --binary --text --tag --zero | - | - | -
            sha1sum | - | pattern | files | -b -t -z --binary --text --tag --zero | - | - | -
            md5sum | - | pattern | files | -b -t -z --binary --text --tag --zero | - | - | -
            file | - | pattern | files | -b -i -k -r --brief --mime --mime-type --mime-encoding --keep-going --raw | - | -F --separator | -
            basename | - | pattern | text | -a -z --multiple --zero | -s --suffix | - | -
            dirname | - | pattern | text | -z --zero | - | - | -
            comm | - | pattern | files | -1 -2 -3 -z --check-order --nocheck-order --total --zero-terminated | - | --output-delimiter | -
            """;

    private static final String DIFF =
            "-p -u -w -b -s! -R --patch --no-patch! --name-only! --name-status! --shortstat!"
                    + " --numstat! --summary --no-color --no-renames --minimal --patience"
                    + " --histogram --full-index --binary --no-ext-diff! --no-textconv!"
                    + " --ignore-all-space --ignore-space-change --ignore-blank-lines";
    private static final String DIFF_VALUED = "-U --unified --diff-filter! -S! -G!";
    private static final String DIFF_OPTIONAL =
            "--stat! --color --word-diff --color-words --find-renames --abbrev";
    private static final String LOG =
            "--oneline --graph --all --no-merges! --merges! --first-parent! --reverse"
                    + " --no-decorate --abbrev-commit --no-abbrev-commit --date-order"
                    + " --topo-order --follow -i -E -F";
    private static final String LOG_FREE =
            "-n --max-count --skip --since --until --after --before --author --committer --grep";

    private static final String GIT =
            """
            git* | status | pattern | files | -s -b -z --short --branch --long --show-stash --ahead-behind --no-ahead-behind --renames --no-renames --null | - | - | --porcelain --untracked-files --ignored --ignore-submodules! --column
            git* | log | pattern | files | LOG DIFF | LOG_FREE | --format --date DIFF_VALUED | --pretty --decorate --branches --tags --remotes DIFF_OPTIONAL
            git* | show | pattern | files | LOG DIFF | LOG_FREE | --format --date DIFF_VALUED | --pretty --decorate DIFF_OPTIONAL
            git* | diff | pattern | files | --cached --staged --check! --merge-base --exit-code --quiet! DIFF | - | DIFF_VALUED | DIFF_OPTIONAL
            git* | rev-parse | pattern | files | --show-toplevel --git-dir --is-inside-work-tree --verify --all --show-prefix --show-cdup -q --quiet | - | - | --short --abbrev-ref
            git* | branch | pattern | none | --list -l -a -r -v -vv --all --remotes --verbose --show-current! --no-color | - | --sort --format | --column --color
            git* | tag | pattern | none | -l --list | - | --sort --format | --column --color
            git* | remote | pattern | none | -v --verbose | - | - | -
            git* | ls-files | pattern | files | -c -d -m -o -i -s -u -z -t -v --cached --deleted --modified --others --ignored --stage --unmerged --exclude-standard! --full-name --error-unmatch --directory | - | -x! --exclude! | -
            git* | blame | pattern | files | -w -e -l -s -t -c -p --porcelain --line-porcelain --show-email | - | -L | -
            git* | describe | pattern | files | --tags --always --all --long --exact-match! --first-parent | - | --abbrev --match! --exclude! | --dirty --broken
            git* | cat-file | pattern | files | -p -t! -s! -e! | - | - | -
            git* | ls-tree | pattern | files | -r -t -d! -l -z --name-only! --name-status! --full-name --full-tree --long | - | - | --abbrev
            git* | add | pattern | files | -A -u! -v -n! -f -N! --all --update! --verbose --dry-run! --force --ignore-errors --refresh! --intent-to-add! | - | - | -
            git* | commit | pattern | files | -q -a -s --quiet --all --signoff -n! --no-verify! --allow-empty --dry-run! --short! | -m! --message! | - | -
            """
                    .replace("LOG_FREE", LOG_FREE)
                    .replace("DIFF_VALUED", DIFF_VALUED)
                    .replace("DIFF_OPTIONAL", DIFF_OPTIONAL)
                    .replace("LOG DIFF", LOG + " " + DIFF)
                    .replace("--quiet! DIFF", "--quiet! " + DIFF);

    private static final String BUILDS =
            """
            npm*=npm-cli.js | run | build_pattern | script | --silent -s --if-present | - | - | -
            npm*=npm-cli.js | run-script | build_pattern | script | --silent -s --if-present | - | - | -
            npm*=npm-cli.js | test | build_pattern | none | --silent -s --if-present | - | - | -
            npm*=npm-cli.js | ci | build_pattern | none | --silent -s --no-audit --no-fund --ignore-scripts! --offline! --prefer-offline! | - | - | -
            cargo | build | build_exact | none | -q -v -r --release --quiet --verbose --workspace --all --all-targets --all-features --no-default-features --offline --locked --frozen --lib --bins --tests | - | -p --package -F --features -j --jobs | -
            cargo | check | build_exact | none | -q -v -r --release --quiet --verbose --workspace --all --all-targets --all-features --no-default-features --offline --locked --frozen --lib --bins --tests | - | -p --package -F --features -j --jobs | -
            cargo | test | build_exact | none | -q -v -r --release --quiet --verbose --workspace --all --all-targets --all-features --no-default-features --offline --locked --frozen --lib --bins --tests --no-run | - | -p --package -F --features -j --jobs | -
            mvn* | - | build_exact | phases | -q -o -B -V -e -am -ntp --quiet --offline --batch-mode --show-version --errors --also-make --no-transfer-progress | - | -pl --projects | -
            """;

    private static final List<CommandRow> ROWS = rows();

    private CommandRows() {}

    private static List<CommandRow> rows() {
        List<CommandRow> rows = new ArrayList<>();
        (PLAIN + GIT + BUILDS)
                .lines()
                .filter(line -> !line.isBlank())
                .forEach(line -> rows.add(CommandRow.of(line)));
        return List.copyOf(rows);
    }

    /** Returns the row of a program by the name it is called by, its file and its sub-command. */
    static Optional<CommandRow> of(String command, String fileName, String subcommand) {
        return ROWS.stream()
                .filter(row -> row.program().equals(command))
                .filter(row -> row.files().contains(fileName))
                .filter(row -> row.subcommand().equals(subcommand))
                .findFirst();
    }

    /** Returns whether a program is one whose sub-commands have rows of their own. */
    static boolean hasSubcommands(String command) {
        return ROWS.stream()
                .anyMatch(row -> row.program().equals(command) && !row.subcommand().isEmpty());
    }
}
