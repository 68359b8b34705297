//! Follows the lifecycle of entities, so that the tasks match the world: births, deaths, and entities that are disabled.

use bevy_ecs::archetype::{Archetype, ArchetypeEntity};
use bevy_ecs::component::ComponentId;
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::DefaultQueryFilters;
use bevy_ecs::event::EntityEvent;
use bevy_ecs::lifecycle::{AddEvent, HookContext, RemoveEvent};
use bevy_ecs::observer::{Observer, On};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::Commands;
use bevy_ecs::world::{DeferredWorld, EntityRef, World};
use std::any::TypeId;
use std::collections::HashSet;

use crate::scheduler::EntitySlicer;
use crate::{Scheduler, Timesliced};

/// The pairs of a scheduler's marker and a disabling component for which observers have already been spawned.
#[derive(Resource, Default)]
struct Followed(HashSet<(TypeId, ComponentId)>);

/// Returns the components that disable their entities, such as [`Disabled`](bevy_ecs::entity_disabling::Disabled).
fn disabling_components(world: &World) -> impl Iterator<Item = ComponentId> {
    let filters = world.get_resource().into_iter();
    filters.flat_map(DefaultQueryFilters::disabling_ids)
}

/// Observes that a disabling component is added or removed, and queues an update of the entity's task.
fn follow<M: 'static, E: EntityEvent>(event: On<E>, mut commands: Commands) {
    let entity = event.event_target();
    commands.queue(move |world: &mut World| update_task::<M>(&mut world.into(), entity));
}

/// Adds, enables, disables or removes the task of an entity, depending on the components that the entity has.
fn update_task<M: 'static>(world: &mut DeferredWorld, entity: Entity) {
    let task = world.get_entity(entity).ok();
    let task = task.filter(EntityRef::contains::<Timesliced<M>>);
    let is_disabled = task.map(|it| disabling_components(world).any(|id| it.contains_id(id)));
    if let Some(mut scheduler) = world.get_resource_mut::<Scheduler<M>>() {
        match is_disabled {
            Some(is_disabled) => scheduler.set_task(entity, is_disabled),
            None => scheduler.end_task(entity),
        }
    }
}

impl<M: 'static> Timesliced<M> {
    pub(crate) fn on_add(mut world: DeferredWorld, context: HookContext) {
        update_task::<M>(&mut world, context.entity);
    }

    pub(crate) fn on_remove(mut world: DeferredWorld, context: HookContext) {
        if let Some(mut scheduler) = world.get_resource_mut::<Scheduler<M>>() {
            scheduler.end_task(context.entity);
        }
    }
}

impl<M: 'static> Scheduler<M> {
    pub(crate) fn on_insert(mut world: DeferredWorld, _: HookContext) {
        world.commands().queue(Self::match_world);
    }

    /// Makes the tasks match the world, so that exactly the entities with a [`Timesliced<M>`] component are tasks.
    pub(crate) fn match_world(world: &mut World) {
        let components: Vec<ComponentId> = disabling_components(world).collect();
        for component in components {
            let followed = &mut world.get_resource_or_init::<Followed>().0;
            if followed.insert((TypeId::of::<M>(), component)) {
                world.spawn(Observer::new(follow::<M, AddEvent>).with_component(component));
                world.spawn(Observer::new(follow::<M, RemoveEvent>).with_component(component));
            }
        }
        let Some(scheduler) = world.get_resource::<Self>() else {
            return;
        };
        let mut entities: Vec<Entity> = scheduler.tasks.keys().copied().collect();
        entities.sort_unstable();
        let component = world.component_id::<Timesliced<M>>();
        let has_tasks = |it: &&Archetype| component.is_some_and(|component| it.contains(component));
        let archetypes = world.archetypes().iter().filter(has_tasks);
        entities.extend(archetypes.flat_map(|it| it.entities().iter().map(ArchetypeEntity::id)));
        for entity in entities {
            update_task::<M>(&mut world.into(), entity);
        }
    }

    fn set_task(&mut self, entity: Entity, is_disabled: bool) {
        self.tasks.entry(entity).or_default().is_disabled = is_disabled;
        self.change(move |timeslicer, tasks| {
            let Some(task) = tasks.get_mut(&entity) else {
                return;
            };
            if !task.is_disabled {
                let id = *task.id.get_or_insert_with(|| timeslicer.add(entity));
                if let Some(call) = task.pending.take() {
                    call(timeslicer, id);
                }
            } else if let Some(id) = task.id.take() {
                let backlog = timeslicer.backlog();
                timeslicer.remove(id);
                if timeslicer.backlog() < backlog {
                    task.pending = Some(EntitySlicer::request);
                }
            }
        });
    }

    fn end_task(&mut self, entity: Entity) {
        if let Some(id) = self.tasks.remove(&entity).and_then(|it| it.id) {
            self.change(move |timeslicer, _| _ = timeslicer.remove(id));
        }
    }
}
