/**
 * Applies the configuration folders to Configuration Admin: {@link
 * palyra.config.internal.ConfigurationFolder} polls a folder, {@link
 * palyra.config.internal.ConfigurationValidator} validates a file against its metatype, {@link
 * palyra.config.internal.ConfigurationReconciler} plans, and {@link
 * palyra.config.internal.ConfigurationWatcher} applies the plan.
 */
package palyra.config.internal;
