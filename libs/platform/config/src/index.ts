export { environment } from './environment';
export { loadSettings, SettingsError, type Environment } from './load-settings';
export { printSettings } from './print-settings';
export { ServiceSettings } from './service-settings';
export {
  isSecret,
  Setting,
  settingsOf,
  type SettingKind,
  type SettingOptions,
  type SettingRecord,
  type SettingsClass,
} from './setting';
