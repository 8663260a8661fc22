export { SecurityClient } from './security-client';
