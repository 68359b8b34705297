//! Follows the lifecycle of entities, so that the tasks match the world: births, deaths, and entities that are disabled.

use bevy_ecs::archetype::Archetype;
use bevy_ecs::component::ComponentId;
use bevy_ecs::entity::{Entity, EntityIndexMap};
use bevy_ecs::entity_disabling::DefaultQueryFilters;
use bevy_ecs::event::EntityEvent;
use bevy_ecs::lifecycle::{AddEvent, HookContext, RemoveEvent};
use bevy_ecs::observer::{Observer, On};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::Commands;
use bevy_ecs::world::{DeferredWorld, World};
use std::marker::PhantomData;

use crate::{Scheduler, Timesliced};

/// The components that disable entities and are already observed for the marker `M`.
#[derive(Resource)]
struct Observed<M: 'static>(Vec<ComponentId>, PhantomData<fn() -> M>);

impl<M: 'static> Default for Observed<M> {
    fn default() -> Self {
        Self(Vec::new(), PhantomData)
    }
}

/// Returns the components that disable their entities, such as [`Disabled`](bevy_ecs::entity_disabling::Disabled).
fn disabling_components(world: &World) -> impl Iterator<Item = ComponentId> {
    let filters = world.get_resource::<DefaultQueryFilters>();
    filters
        .into_iter()
        .flat_map(DefaultQueryFilters::disabling_ids)
}

fn is_disabled(world: &World, archetype: &Archetype) -> bool {
    disabling_components(world).any(|component| archetype.contains(component))
}

/// Updates the task of an entity to which a disabling component has been added, or from which one has been removed.
fn toggle<M: 'static, E: EntityEvent>(event: On<E>, mut commands: Commands) {
    let entity = event.event_target();
    commands.queue(move |world: &mut World| {
        let is_disabled = match world.get_entity(entity) {
            Ok(entity) => is_disabled(world, entity.archetype()),
            Err(_) => return,
        };
        if let Some(mut scheduler) = world.get_resource_mut::<Scheduler<M>>()
            && scheduler.tasks.contains_key(&entity)
        {
            scheduler.report_living(entity, is_disabled);
        }
    });
}

impl<M: 'static> Timesliced<M> {
    pub(crate) fn on_add(mut world: DeferredWorld, context: HookContext) {
        let entity = context.entity;
        let is_disabled = is_disabled(&world, world.entity(entity).archetype());
        if let Some(mut scheduler) = world.get_resource_mut::<Scheduler<M>>() {
            scheduler.report_living(entity, is_disabled);
        }
    }

    pub(crate) fn on_remove(mut world: DeferredWorld, context: HookContext) {
        if let Some(mut scheduler) = world.get_resource_mut::<Scheduler<M>>() {
            scheduler.report_dead(context.entity);
        }
    }
}

impl<M: 'static> Scheduler<M> {
    pub(crate) fn on_insert(mut world: DeferredWorld, _: HookContext) {
        world.commands().queue(Self::match_world);
    }

    /// Makes the tasks match the world. Adds the entities that have the [`Timesliced<M>`] component, and removes those
    /// that no longer have it.
    pub(crate) fn match_world(world: &mut World) {
        Self::observe_disabling(world);
        let Some(component) = world.component_id::<Timesliced<M>>() else {
            return;
        };
        let archetypes = world.archetypes().iter();
        let with_tasks = archetypes.filter(|it| it.contains(component));
        let living: EntityIndexMap<bool> = with_tasks
            .flat_map(|archetype| {
                let is_disabled = is_disabled(world, archetype);
                let entities = archetype.entities().iter();
                entities.map(move |it| (it.id(), is_disabled))
            })
            .collect();
        let Some(mut scheduler) = world.get_resource_mut::<Self>() else {
            return;
        };
        let tasks = scheduler.tasks.keys().copied();
        let mut dead: Vec<Entity> = tasks.filter(|it| !living.contains_key(it)).collect();
        dead.sort_unstable();
        for entity in dead {
            scheduler.report_dead(entity);
        }
        for (entity, is_disabled) in living {
            scheduler.report_living(entity, is_disabled);
        }
    }

    /// Observes the disabling components that are not observed yet.
    fn observe_disabling(world: &mut World) {
        let components: Vec<ComponentId> = disabling_components(world).collect();
        let observed = &mut world.get_resource_or_init::<Observed<M>>().0;
        let new = components.into_iter().filter(|it| !observed.contains(it));
        let new: Vec<ComponentId> = new.collect();
        observed.extend(&new);
        for component in new {
            world.spawn(Observer::new(toggle::<M, AddEvent>).with_component(component));
            world.spawn(Observer::new(toggle::<M, RemoveEvent>).with_component(component));
        }
    }

    fn report_living(&mut self, entity: Entity, is_disabled: bool) {
        self.tasks.entry(entity).or_default().is_disabled = is_disabled;
        self.change(move |timeslicer, tasks| {
            let Some(task) = tasks.get_mut(&entity) else {
                return;
            };
            if !task.is_disabled {
                let id = *task.id.get_or_insert_with(|| timeslicer.add(entity));
                if std::mem::take(&mut task.is_requested) {
                    timeslicer.request(id);
                }
            } else if let Some(id) = task.id.take() {
                let backlog = timeslicer.backlog();
                timeslicer.remove(id);
                task.is_requested |= timeslicer.backlog() < backlog;
            }
        });
    }

    fn report_dead(&mut self, entity: Entity) {
        if let Some(id) = self.tasks.remove(&entity).and_then(|it| it.id) {
            self.change(move |timeslicer, _| _ = timeslicer.remove(id));
        }
    }
}
