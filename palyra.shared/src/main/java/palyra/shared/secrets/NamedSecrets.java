package palyra.shared.secrets;

/** Shapes of secrets that only the name before them tells. The form is {@link ShapeReader}'s. */
final class NamedSecrets {
    static final String TABLE =
            """
            putty-key @private_lines D1-3 w64+
            bearer-token @bearer T20+ OPAQUE
            authorization @authorization_token|@authorization_apikey|@x_api_key|@x_auth_token T20+ OPAQUE
            basic-credentials @basic b12+ BASIC
            aws-secret-key @aws_secret_access_key|@aws_secret_key|@secret_access_key b40 STRONG
            aws-session-token @aws_session_token|@aws_security_token b100+
            azure-client-secret @azure_client_secret|@client_secret|@arm_client_secret q34-44 STRONG
            azure-devops-token @azure_devops_pat|@azure_devops_ext_pat|@system_access_token B52-84
            azure-openai-key @azure_openai_api_key|@azure_openai_key|@ocp_apim_subscription_key X32
            azure-sas-signature @sig q43-64 STRONG
            cloudflare-token @cloudflare_api_token|@cf_api_token|@cloudflare_token U40
            cloudflare-global-key @cloudflare_api_key|@cf_api_key|@x_auth_key H37
            heroku-key @heroku_api_key|@heroku_token X8 "-" X4 "-" X4 "-" X4 "-" X12
            railway-token @railway_token X8 "-" X4 "-" X4 "-" X4 "-" X12
            postmark-token @postmark_server_token|@postmark_api_token|@x_postmark_server_token X8 "-" X4 "-" X4 "-" X4 "-" X12
            snyk-token @snyk_token|@snyk_api_key X8 "-" X4 "-" X4 "-" X4 "-" X12
            splunk-token @splunk_hec_token|@splunk_token X8 "-" X4 "-" X4 "-" X4 "-" X12
            vercel-token @vercel_token|@vercel_api_token B24
            datadog-api-key @datadog_api_key|@dd_api_key|@dd_client_api_key H32
            datadog-app-key @datadog_app_key|@dd_app_key|@dd_application_key H40
            twilio-auth-token @twilio_auth_token|@twilio_token H32
            mailchimp-key @mailchimp_api_key|@mailchimp_key H32 "-us" D1-2
            mailgun-named-key @mailgun_api_key|@mailgun_signing_key H32 "-" H8 "-" H8
            cohere-key @cohere_api_key|@co_api_key B40
            mistral-key @mistral_api_key B32
            wandb-key @wandb_api_key H40
            assemblyai-key @assemblyai_api_key H32
            algolia-key @algolia_api_key|@algolia_admin_key|@algolia_admin_api_key H32
            fastly-token @fastly_api_token|@fastly_api_key|@fastly_key U32
            okta-token @okta_api_token|@okta_token|@ssws U42
            auth0-secret @auth0_client_secret U64
            twitch-secret @twitch_client_secret a30
            spotify-secret @spotify_client_secret H32
            linkedin-secret @linkedin_client_secret B16
            pagerduty-key @pagerduty_api_key|@pagerduty_token f20
            terraform-token @tfe_token|@terraform_token|@terraform_cloud_token B14 ".atlasv1." U60+
            vault-root-token @vault_token B24-26 MIXED
            asana-secret @asana_access_token|@asana_pat D1 "/" D16 ":" H32
            trello-token @trello_token|@trello_api_token H64
            zendesk-token @zendesk_api_token|@zendesk_token B40
            ngrok-token @ngrok_authtoken|@ngrok_auth_token B27-30 "_" B18-24
            infura-secret @infura_api_secret|@infura_project_secret|@infura_key H32
            alchemy-key @alchemy_api_key U32
            ethereum-private-key @eth_private_key|@ethereum_private_key|@wallet_private_key "0x" X64
            coinbase-secret @coinbase_api_secret|@coinbase_secret f32+ STRONG
            paypal-secret @paypal_client_secret|@paypal_secret U80
            razorpay-secret @razorpay_key_secret|@razorpay_secret B24
            codecov-token @codecov_token X8 "-" X4 "-" X4 "-" X4 "-" X12
            launchdarkly-key @launchdarkly_sdk_key|@ld_sdk_key "sdk-" X8 "-" X4 "-" X4 "-" X4 "-" X12
            database-password @pgpassword|@mysql_pwd|@redis_password|@postgres_password|@mysql_password v6+ PASSWORD
            connection-password @;password|@;pwd v5-256 LITERAL
            """;

    private NamedSecrets() {}
}
