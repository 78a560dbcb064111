package palyra.shared.secrets;

/** Shapes of secrets that begin with a text of their own. The form is {@link ShapeReader}'s. */
final class ShapeTable {
    /** Forges, registries of packages and images, builds, developers' tools. */
    static final String CODE =
            """
            github-pat ghp_ B36 CHECKSUM
            github-oauth gho_ B36 CHECKSUM
            github-user-token ghu_ B36 CHECKSUM
            github-server-token ghs_ B36 CHECKSUM
            github-refresh-token ghr_ B36-80 CHECKSUM
            github-fine-grained-pat github_pat_ B22 "_" B59
            gitlab-pat glpat- U20+
            gitlab-deploy-token gldt- U20+
            gitlab-runner-token glrt- U20+
            gitlab-job-token glcbt- U20+
            gitlab-trigger-token glptt- H40
            gitlab-feed-token glft- U20+
            gitlab-agent-token glagent- U50+
            gitlab-oauth-secret gloas- H64
            gitlab-scim-token glsoat- U20+
            gitlab-mail-token glimt- U25+
            gitlab-registration-token GR1348941 U20+
            bitbucket-app-password ATBB B28-40 MIXED
            atlassian-token ATATT3x|ATCTT3x f100+
            npm-token npm_ B36 CHECKSUM
            pypi-token pypi-AgEIcHlwaS5vcmc|pypi-AgENdGVzdC5weXBpLm9yZw U50+
            rubygems-token rubygems_ H48
            crates-io-token cio B32 STRONG alone
            nuget-key oy2 a43 MIXED alone
            clojars-token CLOJARS_ a60
            docker-pat dckr_pat_ U27
            docker-org-token dckr_oat_ U32
            artifactory-key AKCp B69 STRONG
            artifactory-reference cmVmdGtuO B55 STRONG
            sonarqube-token squ_|sqp_|sqa_ H40
            circleci-token CCIPAT_ B22 "_" H40
            buildkite-token bkua_ H40
            doppler-token dp.pt.|dp.ct.|dp.sa.|dp.scim.|dp.audit. B40-44
            doppler-service-token dp.st. U2-40 "." B40-44
            onepassword-service-token ops_eyJ b250+
            pulumi-token pul- H40
            postman-key PMAK- H24 "-" H34
            readme-key rdme_ a70
            sentry-org-token sntrys_eyJ f60+
            sentry-user-token sntryu_ H64
            tailscale-key tskey-auth-|tskey-api-|tskey-client-|tskey-scim- B10+ "-" B20+
            figma-pat figd_ U40+
            figma-oauth figo_|figor_|figoh_ U36+
            linear-key lin_api_ B40
            linear-oauth lin_oauth_ H64
            notion-token ntn_ B43-50
            notion-legacy-token secret_ B43 STRONG
            airtable-pat pat B14 "." H64 alone
            asana-pat 2/ D16 "/" D16 ":" H32 alone
            clickup-token pk_ D6-10 "_" A32
            typeform-token tfp_ U40-64
            contentful-token CFPAT- U43
            prefect-key pnu_|pnb_ B36
            age-key AGE-SECRET-KEY-1 A58
            """;

    /** Clouds, hosts, databases, what watches them. */
    static final String CLOUD =
            """
            aws-access-key-id AKIA|ASIA|ABIA|ACCA A16 alone
            aws-bedrock-key ABSK b100+
            google-api-key AIza U35
            google-oauth-secret GOCSPX- U28
            google-oauth-token ya29. U40+
            google-refresh-token 1//0 U40+ alone
            azure-storage-key AccountKey= b86-88
            azure-shared-key SharedAccessKey= b43-44
            alibaba-key-id LTAI B16-20 MIXED alone
            tencent-key-id AKID B32 STRONG alone
            yandex-key AQVN U35-38 STRONG alone
            yandex-iam-token t1.9eu f100+ alone
            digitalocean-token dop_v1_|doo_v1_|dor_v1_ H64
            heroku-token HRKU-AA U58
            cloudflare-origin-key v1.0- H24 "-" H146
            netlify-token nfp_ B36
            render-key rnd_ B28+
            fly-token fo1_ U43
            fly-macaroon fm1r_|fm1a_|fm2_ b90+
            planetscale-token pscale_tkn_|pscale_oauth_|pscale_pw_ f32+
            neon-key napi_ a60+
            supabase-token sbp_ H40
            supabase-secret-key sb_secret_ U22+
            vercel-blob-token vercel_blob_rw_ U30+
            scalingo-token tk-us- U48
            databricks-token dapi H32 "-" D1-2
            databricks-token dapi H32
            vault-token hvs.|hvb.|hvr. U24+
            vault-batch-token s.hvs. U24+
            grafana-cloud-token glc_eyJ b30+
            grafana-service-token glsa_ B32 "_" X8
            newrelic-user-key NRAK- A27
            newrelic-insert-key NRII- U32
            newrelic-browser-key NRJS- H19
            dynatrace-token dt0c01. A24 "." A64
            dynatrace-platform-token dt0s16. A8 "." A64
            honeycomb-key hcaik_|hcamk_|hcxik_|hcxmk_ a50-64
            aiven-token aivenv1_ b60+
            ibm-registry-key icr_ U40+
            confluent-key cflt B56+ STRONG
            """;

    /** Models, payments, mail, chat, shops. */
    static final String SERVICES =
            """
            anthropic-key sk-ant- U40+ STRONG
            openrouter-key sk-or-v1- H64
            openai-project-key sk-proj-|sk-svcacct-|sk-admin-|sk-None- U40+ STRONG
            langfuse-key sk-lf-|pk-lf- H8 "-" H4 "-" H4 "-" H4 "-" H12
            deepseek-key sk- H32 MIXED
            openai-key sk- B40-64 STRONG
            huggingface-token hf_ B34-40
            huggingface-org-token api_org_ B34
            replicate-token r8_ B37
            groq-key gsk_ B50-56
            xai-key xai- B80
            perplexity-key pplx- B48
            fireworks-key fw_ B22-24 STRONG
            together-key tgp_v1_ U43
            nvidia-key nvapi- U60-70
            langsmith-key lsv2_pt_|lsv2_sk_ H32 "_" H10
            pinecone-key pcsk_ U50+
            voyage-key pa- U43 STRONG alone
            tavily-key tvly- U30+
            jina-key jina_ U60
            elevenlabs-key sk_ H48
            anyscale-key esecret_ B26
            stripe-secret-key sk_live_|sk_test_ B24+
            stripe-restricted-key rk_live_|rk_test_ B24+
            stripe-webhook-secret whsec_ b32+
            square-token sq0atp- U22
            square-oauth-secret sq0csp- U43
            square-access-token EAAA U60 STRONG
            shopify-token shpat_|shpca_|shppa_|shpss_|shpua_ X32
            braintree-token access_token$production$|access_token$sandbox$ a16 "$" H32
            plaid-token access-production-|access-sandbox- H8 "-" H4 "-" H4 "-" H4 "-" H12
            easypost-key EZAK|EZTK B54
            shippo-token shippo_live_|shippo_test_ H40
            duffel-token duffel_live_|duffel_test_ U43
            flutterwave-key FLWSECK-|FLWSECK_TEST- a32 "-X"
            frameio-token fio-u- U64
            adobe-secret p8e- a32
            slack-config-token xoxe.xoxp-|xoxe.xoxb-|xoxe- U40+
            slack-bot-token xoxb- U30+
            slack-user-token xoxp- U30+
            slack-app-token xapp- U30+
            slack-legacy-token xoxa-|xoxr-|xoxs-|xoxo- U30+
            slack-cookie xoxd- T60+
            slack-webhook hooks.slack.com/services/ A8-12 "/" A8-12 "/" B20-26
            slack-workflow hooks.slack.com/workflows/ A8-12 "/" A8-12 "/" D15-19 "/" B20-26
            discord-webhook discord.com/api/webhooks/|discordapp.com/api/webhooks/ D17-20 "/" U60-70
            teams-webhook webhook.office.com/webhookb2/ U36 "@" U36 "/IncomingWebhook/" H32 "/" U36
            telegram-bot-token bot D8-10 ":AA" U33
            telegram-bot-token 1|2|3|4|5|6|7|8|9 D7-9 ":AA" U33
            twilio-key SK H32 MIXED alone
            sendgrid-key SG. U22 "." U43
            mailgun-key key- H32 MIXED
            brevo-key xkeysib- H64 "-" B16
            brevo-smtp-key xsmtpsib- H64 "-" B16
            mailersend-token mlsn. H64
            resend-key re_ B8 "_" B24 alone
            hubspot-token pat-na1-|pat-na2-|pat-eu1-|pat-ap1- H8 "-" H4 "-" H4 "-" H4 "-" H12
            dropbox-token sl. U130+ alone
            facebook-token EAA B90+ STRONG
            instagram-token IGQV U100+
            twitter-bearer-token AAAAAAAAAAAAAAAAAAAAA T60+
            mapbox-secret-token sk.eyJ U50+ "." U22
            jwt eyJ U8+ ".eyJ" U4+ "." U16+ alone
            """;

    private ShapeTable() {}
}
