// Checks that routines name shared models and branches that the token can see.

import { didYouMean } from '../declare/findings/suggest.ts';
import { idKey } from '../model/fields/ids.ts';
import type { RemoteModel } from '../model/service/remote.ts';
import { command } from '../model/values/command.ts';
import { pointerTo } from '../model/values/pointer.ts';
import type { Finding, FindingWords } from '../model/workspace/diagnostic.ts';
import { findingAt } from '../model/workspace/field-place.ts';
import type { Resource } from '../model/workspace/resource.ts';
import { unlessOpen } from './sending.ts';
import type { Service } from './service.ts';

/** One list for all routines. If Omni does not give it, one finding says so; throws other failures of the service. */
export async function checkModels(resources: readonly Resource[], service: Service): Promise<readonly Finding[]> {
  const routines = resources.filter(
    ({ kind, attributes }) => kind === 'routine' && typeof attributes['modelId'] === 'string',
  );
  const [first] = routines;
  if (first === undefined) return [];
  const api = await service.api();
  const models = await unlessOpen(api.listModels('SHARED', service.call));
  if (models === undefined) return [{ ...notChecked, ...findingAt(first, pointerTo('modelId')) }];
  const byId = new Map(models.map((model) => [model.id, model]));
  return routines.flatMap((resource): readonly Finding[] => {
    const { modelId, branchId } = resource.attributes;
    const model = byId.get(idKey(String(modelId)));
    if (model === undefined) return [finding(resource, 'modelId', unknownModel(String(modelId), models))];
    const isThere = model.branches.some(({ id }) => id === idKey(String(branchId)));
    if (typeof branchId !== 'string' || isThere) return [];
    return [finding(resource, 'branchId', unknownBranch(branchId, model))];
  });
}

const notChecked: FindingWords = {
  code: 'not-read',
  message: 'The models of routines could not be checked: Omni does not list the models that this token may see.',
  hint: 'See that the token may view them, and run again.',
};

interface Words {
  readonly message: string;
  readonly hint: string;
}

const listHint = `\`${command('list models')}\` prints the ids.`;

function unknownModel(id: string, models: readonly RemoteModel[]): Words {
  return {
    message: `The token can see no shared model \`${id}\`. Applying this would fail.`,
    hint: suggestion(id, models) ?? listHint,
  };
}

function unknownBranch(id: string, { name, branches }: RemoteModel): Words {
  return {
    message: `The model ${name} has no active branch \`${id}\`. Applying this would fail.`,
    hint: suggestion(id, branches) ?? listHint,
  };
}

function suggestion(id: string, known: readonly { readonly id: string; readonly name: string }[]): string | undefined {
  const near = didYouMean(
    id,
    known.map((each) => each.id),
  );
  return near === undefined ? undefined : `${near} ${listHint}`;
}

function finding(resource: Resource, field: 'modelId' | 'branchId', words: Words): Finding {
  return { code: 'unknown-model', ...words, ...findingAt(resource, pointerTo(field)) };
}
