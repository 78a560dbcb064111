/** Checks of configured values. Copied privately into each bundle that is configured. */
package palyra.shared.settings;
