import { Injectable } from '@nestjs/common';
import { BadInput } from '@libs/envelope';
import type { Need } from '@libs/files-access';
import {
  LinuxNative,
  LinuxStore,
  type LinuxStat,
  type NativeResult,
  StorageError,
  type Store,
} from '@libs/storage';
import { Stores } from '../clients/stores';
import type { Acting } from './acting';
import type { Place } from './operations.actions';

const ACCOUNT = /^[a-z_][a-z0-9_-]{0,31}\$?$/;
const MODE = /^([0-7]{3,4}|[ugoa]*[+=-][rwxXst]*(,[ugoa]*[+=-][rwxXst]*)*)$/;

/** What only Linux hosts can: stat, chmod, chown, chgrp. */
@Injectable()
export class NativeActions {
  constructor(private readonly stores: Stores) {}

  stat(who: Acting, place: Place, followLinks: boolean): Promise<LinuxStat> {
    return this.on(who, place, 'READ', (native) => native.stat(place.path, followLinks));
  }

  change(
    who: Acting,
    place: Place,
    operation: 'CHMOD' | 'CHOWN' | 'CHGRP',
    argument: string,
    recursive: boolean,
  ): Promise<NativeResult> {
    const chmod = operation === 'CHMOD';
    if (!(chmod ? MODE : ACCOUNT).test(argument)) {
      const code = chmod ? 'FILES_CLIENT_SSH_LINUXOP_MODE' : 'FILES_CLIENT_SSH_LINUXOP_USRGRP';
      const what = chmod ? 'an octal or symbolic mode' : 'a Linux account or group name';
      throw new BadInput(code, `argument "${argument}" is not ${what}`);
    }
    const tool = operation.toLowerCase() as 'chmod' | 'chown' | 'chgrp';
    return this.on(who, place, 'MODIFY', (native) =>
      native.change(tool, place.path, argument, recursive),
    );
  }

  private on<T>(who: Acting, place: Place, need: Need, work: (native: LinuxNative) => Promise<T>) {
    const question = { ...who, systemId: place.systemId, paths: [place.path], need };
    return this.stores.use(question, 'native', (store) => work(nativeOf(store)));
  }
}

function nativeOf(store: Store): LinuxNative {
  if (store instanceof LinuxStore) return new LinuxNative(store);
  throw new StorageError(
    'unsupported',
    '',
    `systems of type ${store.type} have no native operations`,
  );
}
